-- A suggestion: text that is offered in place of a piece of the cursor's line, and what becomes of it as the user types.
--
-- All columns are bytes. `row` and columns count from 0, as in the extmark functions. A suggestion is a plain value:
--   row, column    where the text begins (at or before the cursor)
--   text           what will stand there, line breaks as "\n"
--   covered        what stands right of the cursor and is replaced by it
--   tail           what follows in the line and stays
--   missing        a sign that a line above lacks, and where: { row, column, text }; nil where none does
local offsets = require('tenon.offsets')

local M = {}

-- From an inline completion item; nil where it does not fit to the line and the cursor. `column` is the cursor's.
function M.from_item(item, row, line, column, encoding)
  -- A StringValue is a snippet, which was not asked for.
  if type(item.insertText) ~= 'string' then
    return nil
  end
  local from, to = column, column
  if type(item.range) == 'table' then
    if item.range.start.line ~= row or item.range['end'].line ~= row then
      return nil
    end
    from = offsets.byte_column(line, item.range.start.character, encoding)
    to = offsets.byte_column(line, item.range['end'].character, encoding)
  end
  if from > column or to < column then
    return nil
  end
  local text = item.insertText:gsub('\r\n?', '\n')
  local covered = line:sub(column + 1, to)
  -- Text that is replaced by itself is no part of the suggestion.
  if #covered > 0 and #text > #covered and text:sub(-#covered) == covered then
    text = text:sub(1, #text - #covered)
    to = column
    covered = ''
  end
  local suggestion = {
    row = row,
    column = from,
    text = text,
    covered = covered,
    tail = line:sub(to + 1),
    missing = M.missing(item, row, encoding),
  }
  return M.rest(suggestion, row, line, column) and suggestion or nil
end

-- The sign of the item's first additional edit, which inserts it in a line above.
function M.missing(item, row, encoding)
  local edit = type(item.additionalTextEdits) == 'table' and item.additionalTextEdits[1]
  if type(edit) ~= 'table' or edit.range.start.line >= row then
    return nil
  end
  local above = edit.range.start.line
  local line = vim.api.nvim_buf_get_lines(0, above, above + 1, false)[1] or ''
  return { row = above, column = offsets.byte_column(line, edit.range.start.character, encoding), text = edit.newText }
end

-- What is still to be shown with the cursor here: the text without what was typed of it. nil where the user went another way.
function M.rest(suggestion, row, line, column)
  if row ~= suggestion.row or column < suggestion.column then
    return nil
  end
  local typed = line:sub(suggestion.column + 1, column)
  if line:sub(column + 1) ~= suggestion.covered .. suggestion.tail then
    return nil
  end
  if #typed >= #suggestion.text or suggestion.text:sub(1, #typed) ~= typed then
    return nil
  end
  return suggestion.text:sub(#typed + 1)
end

-- The beginning of `rest` that is accepted at once: all of it, up to the next line break, or the next word with the blanks
-- before it. A word is a run of letters, digits and underscores, or a run of other marks.
function M.piece(rest, unit)
  if unit == 'line' then
    return rest:match('^\n*[^\n]*')
  elseif unit == 'word' then
    return rest:match('^%s*[%w_\128-\255]+') or rest:match('^%s*[^%s%w_\128-\255]+') or rest
  end
  return rest
end

-- The suggestion that is left when `piece`, the beginning of its rest at the cursor, has been inserted there.
function M.after_piece(suggestion, rest, piece)
  local breaks = select(2, piece:gsub('\n', ''))
  if breaks == 0 then
    return suggestion
  end
  return {
    row = suggestion.row + breaks,
    column = #piece:match('[^\n]*$'),
    text = rest:sub(#piece + 1),
    covered = suggestion.covered,
    tail = suggestion.tail,
  }
end

return M
