-- Where tenon is on: each file, each language and everything has a switch, and all three must be on.
--
-- A buffer whose switch is off is not attached: the server does not even see its text, so nothing is computed for it.
--   vim.b.tenon_enabled = false   the file's switch, which an autocommand or a modeline plugin may set, too
local options = require('tenon.options')

local M = {}

local everywhere = true
local languages_off = {} -- filetype -> true

-- Why the buffer gets no suggestions; nil where it does.
function M.reason(buffer)
  buffer = buffer == 0 and vim.api.nvim_get_current_buf() or buffer
  local filetype = vim.bo[buffer].filetype
  if vim.bo[buffer].buftype ~= '' then
    return ("'%s' is no buffer of a file"):format(vim.bo[buffer].buftype)
  elseif not vim.tbl_contains(options.current.filetypes, filetype) then
    return ("filetype '%s' is not in setup{filetypes}"):format(filetype)
  elseif vim.api.nvim_buf_get_name(buffer) == '' then
    return 'the buffer has no name yet; :file NAME gives it one'
  elseif not everywhere then
    return 'off everywhere; :TenonToggle everywhere'
  elseif languages_off[filetype] then
    return ("off for '%s'; :TenonToggle language"):format(filetype)
  elseif vim.b[buffer].tenon_enabled == false then
    return 'off for this file; :TenonToggle'
  end
  return nil
end

-- Turns a switch over; `what` is file, language or everywhere. Returns what the switch is of, and whether it is on now.
function M.toggle(what, buffer)
  if what == 'everywhere' then
    everywhere = not everywhere
    return 'everywhere', everywhere
  elseif what == 'language' then
    local filetype = vim.bo[buffer].filetype
    languages_off[filetype] = not languages_off[filetype] or nil
    return ("for '%s'"):format(filetype), not languages_off[filetype]
  end
  local on = vim.b[buffer].tenon_enabled == false
  vim.b[buffer].tenon_enabled = on
  return 'for this file', on
end

return M
