-- The suggestion on the screen, and its alternatives: drawn, kept while the user types along it, accepted, changed for another.
local ghost = require('tenon.ghost')
local question = require('tenon.question')
local suggestions = require('tenon.suggestion')

local M = {}

local shown = nil -- { buffer, list of suggestions, index of the one that is drawn, all: the server was asked for every one }

function M.visible()
  return shown ~= nil
end

function M.clear()
  if shown then
    ghost.clear(shown.buffer)
    shown = nil
  end
end

local function rest_at_cursor(suggestion)
  local row, column, line = question.cursor()
  return suggestions.rest(suggestion, row, line, column)
end

-- Draws what is left of the suggestion at the cursor; clears it where it no longer fits. True where it stays.
function M.redraw()
  local here = shown and shown.buffer == vim.api.nvim_get_current_buf()
  local suggestion = here and shown.list[shown.index]
  local rest = suggestion and rest_at_cursor(suggestion)
  if not rest then
    M.clear()
    return false
  end
  local row, column = question.cursor()
  ghost.draw(shown.buffer, row, column, rest, suggestion.covered, suggestion.tail)
  return true
end

-- Shows the first of a list. all: there are no more where these come from.
function M.show(list, all)
  M.clear()
  if #list > 0 then
    shown = { buffer = vim.api.nvim_get_current_buf(), list = list, index = 1, all = all }
    M.redraw()
  end
end

-- Puts a unit of the suggestion ('all', 'line' or 'word') into the buffer, the cursor after it. False where there is none.
function M.accept(unit)
  if not M.redraw() then
    return false
  end
  local buffer, suggestion = shown.buffer, shown.list[shown.index]
  local row, column = question.cursor()
  local rest = rest_at_cursor(suggestion)
  local piece = suggestions.piece(rest, unit)
  local whole = #piece == #rest
  vim.bo[buffer].undolevels = vim.bo[buffer].undolevels -- one undo takes back the piece and nothing before it
  local from = whole and suggestion.column or column
  local lines = vim.split(whole and suggestion.text or piece, '\n', { plain = true })
  local missing = suggestion.missing
  M.clear()
  if missing then
    vim.api.nvim_buf_set_text(buffer, missing.row, missing.column, missing.row, missing.column, { missing.text })
    suggestion.missing = nil
  end
  vim.api.nvim_buf_set_text(buffer, row, from, row, column + (whole and #suggestion.covered or 0), lines)
  vim.api.nvim_win_set_cursor(0, { row + #lines, #lines[#lines] + (#lines == 1 and from or 0) })
  if not whole then
    M.show({ suggestions.after_piece(suggestion, rest, piece) }, false)
  end
  return true
end

-- The alternatives that still fit at the cursor, and the number among them of the one that is drawn.
local function fitting()
  local list, at = {}, 1
  for index, suggestion in ipairs(shown.list) do
    if rest_at_cursor(suggestion) then
      list[#list + 1] = suggestion
      at = index == shown.index and #list or at
    end
  end
  return list, at
end

local function step(direction)
  local list, at = fitting()
  shown.list, shown.index = list, (at - 1 + direction) % #list + 1
  M.redraw()
end

-- Shows the next alternative, or the one before (direction -1). The server is asked for more than one here for the first time.
-- on_single is called where there is no other.
function M.cycle(direction, on_single)
  if not M.redraw() then
    return false
  end
  if shown.all or #shown.list > 1 then
    if #fitting() == 1 then
      on_single()
    end
    step(direction)
    return true
  end
  local current, rest = shown, rest_at_cursor(shown.list[1])
  question.ask(question.INVOKED, function(list)
    if shown ~= current then
      return
    end
    for _, suggestion in ipairs(list) do
      if rest_at_cursor(suggestion) ~= rest then
        shown.list[#shown.list + 1] = suggestion
      end
    end
    shown.all = true
    if #shown.list == 1 then
      on_single()
    end
    step(direction)
  end)
  return true
end

return M
