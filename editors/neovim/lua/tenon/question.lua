-- The one question that is under way: textDocument/inlineCompletion for the cursor's place.
--
-- A new question cancels the one before it. An answer that comes when text or cursor have changed is dropped.
local offsets = require('tenon.offsets')
local server = require('tenon.server')
local suggestions = require('tenon.suggestion')

local uv = vim.uv or vim.loop
local M = {}

M.INVOKED, M.AUTOMATIC = 1, 2 -- InlineCompletionTriggerKind

local pending = nil -- { cancel, buffer, tick, row, column, started }
local last = { milliseconds = nil, reason = '' }

-- Row and byte column from 0, and the cursor's line.
function M.cursor()
  local place = vim.api.nvim_win_get_cursor(0)
  return place[1] - 1, place[2], vim.api.nvim_get_current_line()
end

function M.cancel()
  if pending and pending.cancel then
    pending.cancel()
  end
  pending = nil
end

-- Is this the place that is asked about, with the same text?
function M.is_here()
  local row, column = M.cursor()
  return pending ~= nil
    and pending.buffer == vim.api.nvim_get_current_buf()
    and pending.tick == vim.api.nvim_buf_get_changedtick(pending.buffer)
    and row == pending.row
    and column == pending.column
end

function M.idle()
  return pending == nil
end

-- How long the last answer took and why it had nothing; an empty reason: it had something.
function M.last()
  return last.milliseconds, last.reason
end

local function on_answer(request, err, result, on_suggestions)
  if pending ~= request then
    return
  end
  local same_place = M.is_here()
  pending = nil
  last.milliseconds = (uv.hrtime() - request.started) / 1e6
  local row, column, line = M.cursor()
  if err then
    last.reason = tostring(type(err) == 'table' and err.message or err)
    return
  elseif not same_place then
    last.reason = 'the text changed before the answer came'
    return
  end
  local items = type(result) == 'table' and (result.items or result) or {}
  local fitting = {}
  for _, item in ipairs(items) do
    fitting[#fitting + 1] = suggestions.from_item(item, row, line, column, server.encoding())
  end
  local state = server.state()
  last.reason = #fitting > 0 and '' or state == 'loading' and 'the model is loading' or 'nothing to offer here'
  on_suggestions(fitting)
end

-- Asks at the cursor; on_suggestions(list) is called with what fits there, perhaps nothing.
function M.ask(trigger_kind, on_suggestions)
  M.cancel()
  local buffer = vim.api.nvim_get_current_buf()
  local row, column, line = M.cursor()
  local request = {
    buffer = buffer,
    tick = vim.api.nvim_buf_get_changedtick(buffer),
    row = row,
    column = column,
    started = uv.hrtime(),
  }
  pending = request
  request.cancel = server.request(buffer, 'textDocument/inlineCompletion', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = row, character = offsets.character(line, column, server.encoding()) },
    context = { triggerKind = trigger_kind },
  }, function(err, result)
    on_answer(request, err, result, on_suggestions)
  end)
  if not request.cancel and pending == request then
    pending = nil
    last.reason = server.state() == 'starting' and 'the server is starting' or 'the server does not run'
  end
end

return M
