-- The language server: started once for all buffers, since each server holds a model in memory.
local M = {}

local is_0_11 = vim.fn.has('nvim-0.11') == 1

-- id: of the running client. state: stopped, starting, loading, ready, busy, off, failed. detail: the reason, for the user.
-- action: what the user can do. languages: buffer -> the filetype under which its text was opened.
local server = { id = nil, state = 'stopped', detail = '', action = '', languages = {} }
local on_change = function() end

local function set_state(state, detail, action)
  local became_ready = state == 'ready' and (server.state == 'loading' or server.state == 'starting')
  server.state, server.detail, server.action = state, detail or '', action or ''
  on_change(became_ready)
end

function M.log_path()
  return vim.lsp.log and vim.lsp.log.get_filename and vim.lsp.log.get_filename() or vim.lsp.get_log_path()
end

local function capabilities()
  local all = vim.lsp.protocol.make_client_capabilities()
  all.textDocument.inlineCompletion = { dynamicRegistration = false }
  -- Servers with different encodings in one buffer confuse Neovim, and utf-16 is the one that all of them know.
  all.general = all.general or {}
  all.general.positionEncodings = { 'utf-16' }
  all.experimental = vim.tbl_extend('force', all.experimental or {}, { tenon = { status = true, additionalTextEdits = true } })
  return all
end

-- Loading goes on for seconds, and says how far it is.
local function on_progress(err, params, ...)
  local default = vim.lsp.handlers['$/progress']
  if default then
    default(err, params, ...)
  end
  local value = type(params) == 'table' and type(params.value) == 'table' and params.value or {}
  if value.kind == 'begin' or value.kind == 'report' then
    local parts = { value.title, value.message, value.percentage and ('%d%%'):format(value.percentage) }
    set_state('loading', table.concat(vim.tbl_filter(function(part)
      return type(part) == 'string'
    end, vim.tbl_values(parts)), ' '))
  end
end

local function on_server_status(_, params)
  if type(params) == 'table' and type(params.state) == 'string' then
    local text = function(value)
      return type(value) == 'string' and value or ''
    end
    if params.state ~= 'loading' or server.state ~= 'loading' then
      set_state(params.state, text(params.reason), text(params.action))
    end
  end
end

-- Other clients of the editor must not ask tenon beside the plugin: the built-in ghost text of 0.12 would draw the same text
-- twice, and a completion menu would have it computed at each key. options.list leaves the list to them.
local function on_init(client, options)
  local provided = client.server_capabilities
  provided.inlineCompletionProvider = nil
  if not options.list then
    provided.completionProvider = nil
    if client.resolved_capabilities then
      client.resolved_capabilities.completion = false
    end
  end
  if server.state == 'starting' then
    set_state('ready')
  end
end

local function root_of(buffer)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h')
  local git = vim.fn.finddir('.git', folder .. ';')
  return git ~= '' and vim.fn.fnamemodify(git, ':p:h:h') or folder
end

-- The user's settings, and the time of an answer where they have none, neither as a name with a dot nor nested.
-- Ghost text waits for nobody and a key cancels its request. So an answer may take long: after it nothing would ask again.
local function with_budgets(given)
  local all = vim.tbl_extend('force', {}, given)
  local nested = type(given.completion) == 'table' and given.completion or {}
  for _, name in ipairs({ 'automaticBudgetMs', 'invokedBudgetMs' }) do
    if given['completion.' .. name] == nil and nested[name] == nil then
      all['completion.' .. name] = 30000
    end
  end
  return all
end

local function config_for(buffer, options)
  return {
    name = 'tenon',
    cmd = options.cmd,
    root_dir = root_of(buffer),
    init_options = with_budgets(options.init_options),
    capabilities = capabilities(),
    flags = { debounce_text_changes = 50 },
    handlers = { ['$/progress'] = on_progress, ['tenon/didChangeStatus'] = on_server_status },
    on_init = function(client)
      on_init(client, options)
    end,
    on_exit = function(code, signal, id)
      vim.schedule(function()
        if server.id ~= id then
          return
        end
        server.id, server.languages = nil, {}
        if code == 0 and signal == 0 then
          set_state('stopped')
        else
          local how = signal ~= 0 and ('signal %d'):format(signal) or ('status %d'):format(code)
          set_state('failed', ('the server ended with %s; see %s'):format(how, M.log_path()), ':TenonLog, then :TenonRestart')
        end
      end)
    end,
  }
end

local function start(buffer, options)
  if vim.lsp.start then
    local reuse = function(client)
      return client.id == server.id
    end
    return vim.lsp.start(config_for(buffer, options), { bufnr = buffer, reuse_client = reuse })
  end
  local id = server.id or vim.lsp.start_client(config_for(buffer, options))
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
  return id
end

-- Starts the server where it does not run, and attaches it to the buffer. on_status(became_ready) is called at each change of
-- its state.
function M.attach(buffer, options, on_status)
  on_change = on_status
  local filetype = vim.bo[buffer].filetype
  if server.languages[buffer] and server.languages[buffer] ~= filetype then
    M.detach(buffer)
  end
  if vim.fn.executable(options.cmd[1]) ~= 1 then
    if server.state ~= 'failed' then
      set_state('failed', ("'%s' is no program"):format(options.cmd[1]),
        "build tenon and give setup{cmd = {'/path/to/tenon', '--stdio'}}")
      vim.notify(('tenon: %s; %s'):format(server.detail, server.action), vim.log.levels.ERROR)
    end
    return
  end
  if not server.id then
    set_state('starting')
  end
  server.id = start(buffer, options)
  if server.id then
    server.languages[buffer] = filetype
  else
    set_state('failed', 'the server could not be started; see ' .. M.log_path())
  end
end

-- The server forgets the text of the buffer.
function M.detach(buffer)
  if server.languages[buffer] and M.client() and vim.api.nvim_buf_is_loaded(buffer) then
    vim.lsp.buf_detach_client(buffer, server.id)
  end
  server.languages[buffer] = nil
end

-- Ends the server; then() is called when it has ended.
function M.stop(after)
  local client = M.client()
  if not client then
    server.state = 'stopped'
    return after()
  end
  if is_0_11 then
    client:stop()
  else
    client.stop()
  end
  local tries = 0
  local function wait()
    tries = tries + 1
    if not M.client() or tries > 100 then
      server.id, server.languages = nil, {}
      server.state = 'stopped'
      return after()
    end
    vim.defer_fn(wait, 20)
  end
  wait()
end

function M.client()
  return server.id and vim.lsp.get_client_by_id(server.id) or nil
end

-- Asks once; returns a function that cancels the request. Changes of the buffer are told to the server before. nil where no
-- server runs, or it has not said hello yet.
function M.request(buffer, method, params, handler)
  local client = M.client()
  if not client or not client.initialized then
    return nil
  end
  local sent, id
  if is_0_11 then
    sent, id = client:request(method, params, handler, buffer)
  else
    sent, id = client.request(method, params, handler, buffer)
  end
  if not sent then
    return nil
  end
  return function()
    if M.client() ~= client then
      return
    end
    if is_0_11 then
      client:cancel_request(id)
    else
      client.cancel_request(id)
    end
  end
end

-- Changes of buffers are told to the server before.
function M.notify(method, params)
  local client = M.client()
  if client and is_0_11 then
    client:notify(method, params)
  elseif client then
    client.notify(method, params)
  end
end

-- The id of the client where the server has the buffer's text and wants to know where the cursor rests in it, else nil.
function M.reads_ahead(buffer)
  local client = M.client()
  if not client or not client.initialized or not vim.lsp.buf_is_attached(buffer, client.id) then
    return nil
  end
  local announced = client.server_capabilities.experimental
  announced = type(announced) == 'table' and announced.tenon
  return type(announced) == 'table' and announced.cursor == true and client.id or nil
end

function M.encoding()
  local client = M.client()
  return client and client.offset_encoding or 'utf-16'
end

-- The state, its reason, and what the user can do about it.
function M.state()
  return server.state, server.detail, server.action
end

return M
