-- Tells the server where the cursor rests, so that it reads the text there ahead.
--
-- At a new place the server reads the text for seconds before it completes, and would else learn of the place with the first key
-- there. It is told once a place: when nothing has moved for REST_MS, and at once when insert mode begins. Where the user types a
-- suggestion is asked for, and nothing is told.
local offsets = require('tenon.offsets')
local question = require('tenon.question')
local server = require('tenon.server')
local switches = require('tenon.switches')

local uv = vim.uv or vim.loop
local M = {}

M.REST_MS = 300

local timer = uv.new_timer()
local focused = true
local told = nil -- the place that the server was told last: client, buffer, tick, row, column

-- Tells the place of the cursor now.
function M.tell()
  timer:stop()
  local buffer = vim.api.nvim_get_current_buf()
  local client = server.reads_ahead(buffer)
  if not client or not focused or switches.reason(buffer) then
    return
  end
  local row, column, line = question.cursor()
  local place = { client, buffer, vim.api.nvim_buf_get_changedtick(buffer), row, column }
  if not vim.deep_equal(place, told) then
    told = place
    server.notify('tenon/didMoveCursor', {
      textDocument = { uri = vim.uri_from_bufnr(buffer) },
      position = { line = row, character = offsets.character(line, column, server.encoding()) },
    })
  end
end

function M.stop()
  timer:stop()
end

-- The cursor has moved, or the buffer is another one: its place is told when it rests.
function M.moved()
  timer:start(M.REST_MS, 0, vim.schedule_wrap(function()
    -- The timer may have been started anew after it had rung. A selection is no place to type at.
    local mode = vim.api.nvim_get_mode().mode:sub(1, 1)
    if not timer:is_active() and (mode == 'n' or mode == 'i') then
      M.tell()
    end
  end))
end

-- Insert mode begins.
function M.insert_enter()
  if vim.v.insertmode == 'i' then
    M.tell()
  end
end

-- The editor's window has got the focus, or lost it.
function M.set_focused(is_focused)
  focused = is_focused
  if focused then
    M.moved()
  else
    timer:stop()
  end
end

return M
