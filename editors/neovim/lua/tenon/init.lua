-- tenon for Neovim: ghost text from the language server `tenon`. See :help tenon.
--
-- One suggestion at most is alive: `shown` (lua/tenon/suggestion.lua) with its buffer. Whatever happens to text or cursor calls
-- update(), which keeps the suggestion where the user typed along it and drops it otherwise.
local ghost = require('tenon.ghost')
local offsets = require('tenon.offsets')
local server = require('tenon.server')
local suggestions = require('tenon.suggestion')

local M = {}

local options = {
  cmd = { 'tenon', '--stdio' },
  filetypes = {
    'c', 'cpp', 'cs', 'css', 'go', 'html', 'java', 'javascript', 'javascriptreact', 'json',
    'jsonc', 'lua', 'markdown', 'php', 'python', 'ruby', 'rust', 'sh', 'sql', 'toml', 'typescript',
    'typescriptreact', 'yaml',
  },
  auto_trigger = true,
  debounce_ms = 120,
  init_options = nil,
  keymaps = { accept = '<Tab>', dismiss = '<C-]>', complete = '<M-Bslash>' },
}

local shown = nil -- { buffer, suggestion }
local pending = nil -- { cancel, buffer, tick, row, column }
local timer = nil
local last = { milliseconds = nil, reason = '' }

local function cursor()
  local place = vim.api.nvim_win_get_cursor(0)
  return place[1] - 1, place[2], vim.api.nvim_get_current_line()
end

local function inserting()
  return vim.api.nvim_get_mode().mode:sub(1, 1) == 'i'
end

local function serves(buffer)
  return vim.bo[buffer].buftype == '' and vim.tbl_contains(options.filetypes, vim.bo[buffer].filetype)
end

local function stop_timer()
  if timer then
    timer:stop()
    timer:close()
    timer = nil
  end
end

local function cancel_pending()
  if pending and pending.cancel then
    pending.cancel()
  end
  pending = nil
end

-- Takes the suggestion away and stops what is under way. True where there was a suggestion.
function M.dismiss()
  stop_timer()
  cancel_pending()
  local was_shown = shown ~= nil
  if shown then
    ghost.clear(shown.buffer)
    shown = nil
  end
  return was_shown
end

function M.visible()
  return shown ~= nil
end

-- True where no request is under way.
function M.idle()
  return pending == nil and timer == nil
end

-- Draws what is left of the suggestion here; drops it where it no longer fits. True where it stays.
local function redraw()
  local row, column, line = cursor()
  local rest = shown
    and shown.buffer == vim.api.nvim_get_current_buf()
    and suggestions.rest(shown.suggestion, row, line, column)
  if not rest then
    M.dismiss()
    return false
  end
  ghost.draw(shown.buffer, row, column, rest, shown.suggestion.covered, shown.suggestion.tail)
  return true
end

local function on_answer(request, err, result)
  if pending ~= request then
    return
  end
  pending = nil
  last.milliseconds = (vim.loop.hrtime() - request.started) / 1e6
  local row, column, line = cursor()
  local same_place = vim.api.nvim_get_current_buf() == request.buffer
    and vim.api.nvim_buf_get_changedtick(request.buffer) == request.tick
    and row == request.row
    and column == request.column
  if err then
    last.reason = tostring(err.message or err)
  elseif not same_place then
    last.reason = 'the text changed before the answer came'
  elseif inserting() and vim.fn.pumvisible() == 0 then
    local items = type(result) == 'table' and (result.items or result) or {}
    local suggestion = items[1] and suggestions.from_item(items[1], row, line, column, server.encoding())
    last.reason = suggestion and '' or 'nothing to offer here'
    if suggestion then
      shown = { buffer = request.buffer, suggestion = suggestion }
      redraw()
    end
  end
end

local function ask(trigger_kind)
  M.dismiss()
  local buffer = vim.api.nvim_get_current_buf()
  local row, column, line = cursor()
  local request = {
    buffer = buffer,
    tick = vim.api.nvim_buf_get_changedtick(buffer),
    row = row,
    column = column,
    started = vim.loop.hrtime(),
  }
  pending = request
  request.cancel = server.request(buffer, 'textDocument/inlineCompletion', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = row, character = offsets.character(line, column, server.encoding()) },
    context = { triggerKind = trigger_kind },
  }, function(err, result)
    on_answer(request, err, result)
  end)
  if not request.cancel and pending == request then
    pending = nil
    last.reason = 'the server does not run'
  end
end

-- Asks for a suggestion now.
function M.complete()
  ask(1)
end

local function ask_soon()
  stop_timer()
  timer = vim.loop.new_timer()
  timer:start(options.debounce_ms, 0, vim.schedule_wrap(function()
    stop_timer()
    if inserting() and vim.fn.pumvisible() == 0 then
      ask(2)
    end
  end))
end

-- Puts the suggestion into the buffer, the cursor behind it. False where there is none.
function M.accept()
  if not shown or not redraw() then
    return false
  end
  local buffer, suggestion = shown.buffer, shown.suggestion
  local row, column = cursor()
  M.dismiss()
  vim.bo[buffer].undolevels = vim.bo[buffer].undolevels -- one undo takes back the suggestion and nothing before it
  local lines = vim.split(suggestion.text, '\n', { plain = true })
  vim.api.nvim_buf_set_text(buffer, row, suggestion.column, row, column + #suggestion.covered, lines)
  local last_column = #lines[#lines] + (#lines == 1 and suggestion.column or 0)
  vim.api.nvim_win_set_cursor(0, { row + #lines, last_column })
  return true
end

-- Text or cursor changed.
local function update(text_changed)
  if shown and redraw() then
    return
  end
  if text_changed then
    M.dismiss()
    if options.auto_trigger and serves(vim.api.nvim_get_current_buf()) then
      ask_soon()
    end
  elseif pending then
    local row, column = cursor()
    if row ~= pending.row or column ~= pending.column then
      cancel_pending()
    end
  end
end

-- The model has been loaded: what was typed meanwhile got no answer.
local function on_ready()
  if options.auto_trigger and inserting() and not shown and not pending and serves(vim.api.nvim_get_current_buf()) then
    ask_soon()
  end
end

local function attach(buffer)
  if serves(buffer) then
    server.attach(buffer, options, on_ready)
  end
end

-- A key that acts on a suggestion and does what it always did where there is none.
local function map_with_fallback(key, plug)
  if key then
    vim.keymap.set('i', key, function()
      return M.visible() and plug or key
    end, { expr = true, remap = true, desc = 'tenon: ' .. plug })
  end
end

local function check(opts)
  vim.validate({
    cmd = { opts.cmd, 'table', true },
    filetypes = { opts.filetypes, 'table', true },
    auto_trigger = { opts.auto_trigger, 'boolean', true },
    debounce_ms = { opts.debounce_ms, 'number', true },
    init_options = { opts.init_options, 'table', true },
  })
  for name in pairs(opts) do
    if options[name] == nil and name ~= 'init_options' then
      vim.notify(("tenon: setup() knows no option '%s'"):format(name), vim.log.levels.WARN)
    end
  end
end

function M.setup(opts)
  opts = opts or {}
  check(opts)
  local keymaps = opts.keymaps
  options = vim.tbl_deep_extend('force', options, opts)
  options.cmd = opts.cmd or options.cmd
  options.filetypes = opts.filetypes or options.filetypes
  if keymaps ~= false then
    map_with_fallback(options.keymaps.accept, '<Plug>(tenon-accept)')
    map_with_fallback(options.keymaps.dismiss, '<Plug>(tenon-dismiss)')
    if options.keymaps.complete then
      vim.keymap.set('i', options.keymaps.complete, '<Plug>(tenon-complete)', { remap = true })
    end
  end

  local group = vim.api.nvim_create_augroup('tenon', { clear = true })
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, callback = callback })
  end
  on('FileType', function(event)
    attach(event.buf)
  end)
  on('TextChangedI', function()
    update(true)
  end)
  on('CursorMovedI', function()
    update(false)
  end)
  on({ 'InsertLeave', 'BufLeave', 'CompleteChanged' }, function()
    M.dismiss()
  end)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      attach(buffer)
    end
  end
end

-- What :TenonStatus prints.
function M.status_lines()
  local state, detail = server.state()
  local lines = {
    'server:   ' .. table.concat(options.cmd, ' '),
    'state:    ' .. state .. (detail ~= '' and ' (' .. detail .. ')' or ''),
    'buffer:   ' .. (serves(0) and 'served' or ("filetype '%s' is not in setup{filetypes}"):format(vim.bo.filetype)),
  }
  if last.milliseconds then
    local outcome = last.reason == '' and 'a suggestion' or last.reason
    lines[#lines + 1] = ('last:     %.0f ms, %s'):format(last.milliseconds, outcome)
  elseif last.reason ~= '' then
    lines[#lines + 1] = 'last:     ' .. last.reason
  end
  return lines
end

return M
