-- The language server: started once for all buffers, since each server holds a model in memory.
local M = {}

local is_0_11 = vim.fn.has('nvim-0.11') == 1

-- id: of the running client. state: stopped, starting, loading, ready, failed. detail: a message for the user.
local server = { id = nil, state = 'stopped', detail = '' }

local function capabilities()
  local all = vim.lsp.protocol.make_client_capabilities()
  all.textDocument.inlineCompletion = { dynamicRegistration = false }
  -- Servers with different encodings in one buffer confuse Neovim, and utf-16 is the one that all of them know.
  all.general = all.general or {}
  all.general.positionEncodings = { 'utf-16' }
  return all
end

local function on_progress(on_ready)
  return function(err, params, ...)
    local value = type(params) == 'table' and params.value or {}
    local default = vim.lsp.handlers['$/progress']
    if default then
      default(err, params, ...)
    end
    if value.kind == 'begin' or value.kind == 'report' then
      server.state = 'loading'
      server.detail = table.concat(vim.tbl_filter(function(part)
        return type(part) == 'string'
      end, { value.title or '', value.message or '' }), ' ')
    elseif value.kind == 'end' then
      server.state = 'ready'
      server.detail = type(value.message) == 'string' and value.message or ''
      on_ready()
    end
  end
end

local function root_of(buffer)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h')
  local git = vim.fn.finddir('.git', folder .. ';')
  return git ~= '' and vim.fn.fnamemodify(git, ':p:h:h') or folder
end

-- Starts the server where it does not run, and attaches it to the buffer. on_ready() is called when the model is loaded.
function M.attach(buffer, options, on_ready)
  if vim.fn.executable(options.cmd[1]) ~= 1 then
    server.state = 'failed'
    server.detail = ("'%s' is no program; build tenon and give setup{cmd = {'/path/to/tenon', '--stdio'}}"):format(options.cmd[1])
    vim.notify('tenon: ' .. server.detail, vim.log.levels.ERROR)
    return
  end
  -- Ghost text waits for nobody and a key cancels its request, so an answer may take long: after it nothing would ask again.
  local patient = { ['completion.automaticBudgetMs'] = 30000, ['completion.invokedBudgetMs'] = 30000 }
  local config = {
    name = 'tenon',
    cmd = options.cmd,
    root_dir = root_of(buffer),
    init_options = vim.tbl_extend('keep', options.init_options or {}, patient),
    capabilities = capabilities(),
    flags = { debounce_text_changes = 50 },
    handlers = { ['$/progress'] = on_progress(on_ready) },
    on_init = function()
      server.state = server.state == 'starting' and 'ready' or server.state
    end,
    on_exit = function(code)
      server.id = nil
      server.state = code == 0 and 'stopped' or 'failed'
      server.detail = code == 0 and '' or ('the server ended with status %d; see %s'):format(code, vim.lsp.get_log_path())
    end,
  }
  if not server.id then
    server.state = 'starting'
    server.detail = ''
  end
  if vim.lsp.start then
    server.id = vim.lsp.start(config, {
      bufnr = buffer,
      reuse_client = function(client)
        return client.name == 'tenon'
      end,
    })
  else
    server.id = server.id or vim.lsp.start_client(config)
    if server.id then
      vim.lsp.buf_attach_client(buffer, server.id)
    end
  end
  if not server.id then
    server.state = 'failed'
    server.detail = 'the server could not be started; see ' .. vim.lsp.get_log_path()
  end
end

function M.client()
  return server.id and vim.lsp.get_client_by_id(server.id) or nil
end

-- Asks once; returns a function that cancels the request. Changes of the buffer are told to the server before.
function M.request(buffer, method, params, handler)
  local client = M.client()
  if not client then
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

function M.encoding()
  local client = M.client()
  return client and client.offset_encoding or 'utf-16'
end

function M.state()
  return server.state, server.detail
end

return M
