-- What the user is told of tenon: the state of the server with its reason, and why this buffer gets nothing.
local options = require('tenon.options')
local question = require('tenon.question')
local server = require('tenon.server')
local switches = require('tenon.switches')

local M = {}

-- A few words for a statusline: nothing in a buffer that is none of tenon's.
function M.statusline()
  local filetype_served = vim.tbl_contains(options.current.filetypes, vim.bo.filetype) and vim.bo.buftype == ''
  if not filetype_served then
    return ''
  elseif switches.reason(0) then
    return 'tenon off'
  end
  local state, detail = server.state()
  if state == 'loading' then
    local percent = detail:match('%d+ ?%%')
    return 'tenon loading' .. (percent and ' ' .. percent:gsub(' ', '') or '')
  elseif state == 'ready' then
    return 'tenon'
  elseif state == 'busy' then
    return 'tenon …'
  end
  return 'tenon ' .. state
end

-- Tells the statusline, and who listens to the User event TenonStatus.
function M.announce()
  vim.api.nvim_exec_autocmds('User', { pattern = 'TenonStatus', modeline = false })
  vim.cmd('redrawstatus')
end

function M.lines()
  local state, detail, action = server.state()
  local lines = {
    'server:   ' .. table.concat(options.current.cmd, ' '),
    'state:    ' .. state .. (detail ~= '' and ' (' .. detail .. ')' or ''),
    'buffer:   ' .. (switches.reason(0) or 'served'),
  }
  if action ~= '' then
    table.insert(lines, 3, 'to do:    ' .. action)
  end
  local milliseconds, reason = question.last()
  if milliseconds then
    lines[#lines + 1] = ('last:     %.0f ms, %s'):format(milliseconds, reason == '' and 'a suggestion' or reason)
  elseif reason ~= '' then
    lines[#lines + 1] = 'last:     ' .. reason
  end
  return lines
end

return M
