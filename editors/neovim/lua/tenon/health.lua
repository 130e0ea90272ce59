-- :checkhealth tenon
local M = {}

-- The report functions were renamed in 0.10.
local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local info = health.info or health.report_info
local warn = health.warn or health.report_warn
local fault = health.error or health.report_error

-- Other plugins that draw ghost text, by the module they load.
local RIVALS = { copilot = 'copilot.lua', ['supermaven-nvim'] = 'supermaven', codeium = 'codeium.nvim', minuet = 'minuet-ai.nvim' }

local function check_program()
  local program = require('tenon.options').current.cmd[1]
  if vim.fn.executable(program) ~= 1 then
    fault(("'%s' is no program"):format(program), { "build tenon and give setup{cmd = {'/path/to/tenon', '--stdio'}}" })
    return
  end
  local said = vim.fn.systemlist({ program, '--version' })
  if vim.v.shell_error == 0 then
    ok(said[1] or program)
  else
    fault(("'%s --version' failed: %s"):format(program, table.concat(said, ' ')))
    return
  end
  said = vim.fn.systemlist({ program, 'doctor' })
  local summary = said[#said] or ''
  if vim.v.shell_error == 0 then
    ok('tenon doctor: ' .. summary)
  else
    warn('tenon doctor: ' .. summary, { ('run `%s doctor` in a terminal'):format(program) })
  end
end

local function check_server()
  local state = require('tenon.server').state()
  for _, line in ipairs(require('tenon').status_lines()) do
    local report = info
    if line:find('^state:') then
      report = (state == 'ready' or state == 'busy') and ok or state == 'failed' and fault or warn
    end
    report(line)
  end
end

local function check_keys()
  for action, key in pairs(require('tenon.options').current.keymaps) do
    local owner = key and require('tenon.keys').owner(key)
    if key and owner ~= 'tenon' then
      warn(("%s, which should %s, belongs to %s"):format(key, action, owner or 'nobody'),
        { 'call setup() after the other plugin, or choose another key in setup{keymaps}' })
    end
  end
end

local function check_others()
  for module, name in pairs(RIVALS) do
    if package.loaded[module] then
      warn(name .. ' draws ghost text, too', { 'switch its ghost text off where tenon is on' })
    end
  end
  if vim.g.loaded_copilot then
    warn('copilot.vim draws ghost text, too', { 'let g:copilot_filetypes leave the languages to tenon' })
  end
  if vim.fn.exists('#llama#CursorMovedI') == 1 then
    warn('llama.vim draws ghost text, too', { 'call llama#disable() where tenon is on' })
  end
  for module, name in pairs({ cmp = 'nvim-cmp', ['blink.cmp'] = 'blink.cmp' }) do
    if package.loaded[module] then
      ok(name .. ' is loaded: ghost text waits while its menu is open, unless setup{with_menu = true}')
    end
  end
end

function M.check()
  start('tenon: program')
  check_program()
  start('tenon: server')
  check_server()
  start('tenon: keys and other plugins')
  check_keys()
  check_others()
  ok('looked at the keys of setup{keymaps} and at plugins that draw ghost text')
end

return M
