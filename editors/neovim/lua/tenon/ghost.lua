-- Draws the rest of a suggestion at the cursor, without touching the buffer.
--
-- From 0.10 on a text of one line that replaces nothing is drawn inline. Otherwise the first line lies over the line's tail, and
-- the tail is drawn again after the last line, where it will stand.
local M = {}

local namespace = vim.api.nvim_create_namespace('tenon')
local has_inline = vim.fn.has('nvim-0.10') == 1

function M.clear(buffer)
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  end
end

-- Virtual text shows a tab as one cell: spaces to the next stop instead. `cell` is the cell the text begins at.
local function expand_tabs(text, cell, tab_width)
  local out = {}
  for before, tab in (text .. '\0'):gmatch('([^\t%z]*)([\t%z])') do
    out[#out + 1] = before
    cell = cell + vim.fn.strdisplaywidth(before, cell)
    if tab == '\t' then
      local spaces = tab_width - cell % tab_width
      out[#out + 1] = (' '):rep(spaces)
      cell = cell + spaces
    end
  end
  return table.concat(out)
end

-- `rest` begins at the cursor (row, column); `covered` is what it replaces there and `tail` what stays after that.
function M.draw(buffer, row, column, rest, covered, tail)
  M.clear(buffer)
  local lines = vim.split(rest, '\n', { plain = true })
  local options = { hl_mode = 'combine' }
  local line = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ''
  local cell = vim.fn.strdisplaywidth(line:sub(1, column))
  local tab_width = vim.bo[buffer].tabstop

  local function chunks(text, at)
    return { { expand_tabs(text, at, tab_width), 'TenonGhost' } }
  end

  options.virt_text = chunks(lines[1], cell)
  if has_inline and #lines == 1 and covered == '' then
    options.virt_text_pos = 'inline'
  else
    options.virt_text_pos = 'overlay'
    local function append_tail(target)
      if tail ~= '' then
        target[#target + 1] = { expand_tabs(tail, 0, tab_width), 'Normal' }
      end
    end
    if #lines == 1 then
      append_tail(options.virt_text)
    end
    -- What still shows of the old rest of the line is blanked out.
    local shown = vim.fn.strdisplaywidth(lines[1], cell)
    local hidden = vim.fn.strdisplaywidth(covered .. tail, cell) - shown
    if hidden > 0 then
      options.virt_text[#options.virt_text + 1] = { (' '):rep(hidden), 'Normal' }
    end
    if #lines > 1 then
      options.virt_lines = {}
      for i = 2, #lines do
        options.virt_lines[i - 1] = chunks(lines[i], 0)
      end
      append_tail(options.virt_lines[#options.virt_lines])
    end
  end
  vim.api.nvim_buf_set_extmark(buffer, namespace, row, column, options)
end

-- What is drawn, as text: for tests and screen readers. nil where nothing is.
function M.drawn(buffer)
  local mark = vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })[1]
  if not mark then
    return nil
  end
  local function ghost_text(chunk_list)
    local text = ''
    for _, chunk in ipairs(chunk_list or {}) do
      if chunk[2] == 'TenonGhost' then
        text = text .. chunk[1]
      end
    end
    return text
  end
  local parts = { ghost_text(mark[4].virt_text) }
  for _, chunk_list in ipairs(mark[4].virt_lines or {}) do
    parts[#parts + 1] = ghost_text(chunk_list)
  end
  return table.concat(parts, '\n')
end

return M
