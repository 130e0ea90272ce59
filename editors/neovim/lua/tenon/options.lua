-- What setup() was told, over what holds without it.
local M = {}

local defaults = {
  cmd = { 'tenon', '--stdio' },
  filetypes = {
    'c', 'cpp', 'cs', 'css', 'go', 'html', 'java', 'javascript', 'javascriptreact', 'json',
    'jsonc', 'lua', 'markdown', 'php', 'python', 'ruby', 'rust', 'sh', 'sql', 'toml', 'typescript',
    'typescriptreact', 'yaml',
  },
  auto_trigger = true,
  debounce_ms = 120,
  list = false,
  with_menu = false,
  init_options = {},
  keymaps = {
    accept = '<Tab>',
    accept_word = '<M-Right>',
    accept_line = '<M-C-Right>',
    dismiss = '<C-]>',
    complete = '<M-Bslash>',
    next = '<M-]>',
    previous = '<M-[>',
  },
}

M.current = vim.deepcopy(defaults)

local function complain(message)
  vim.notify('tenon: setup(): ' .. message, vim.log.levels.WARN)
end

-- Takes the options of a user. One that is unknown or of another type is named and left as it was.
function M.set(opts)
  local taken = {}
  for name, value in pairs(opts) do
    local wanted = type(defaults[name])
    if defaults[name] == nil then
      complain(("there is no option '%s'"):format(name))
    elseif type(value) ~= wanted and not (name == 'keymaps' and value == false) then
      complain(("'%s' must be a %s, not a %s"):format(name, wanted, type(value)))
    else
      taken[name] = value
    end
  end
  local keymaps = taken.keymaps
  if keymaps == false then
    taken.keymaps = nil
  end
  M.current = vim.tbl_deep_extend('force', vim.deepcopy(defaults), taken)
  M.current.cmd = taken.cmd or defaults.cmd
  M.current.filetypes = taken.filetypes or defaults.filetypes
  for name in pairs(M.current.keymaps) do
    if defaults.keymaps[name] == nil then
      complain(("there is no key '%s'"):format(name))
      M.current.keymaps[name] = nil
    elseif keymaps == false then
      M.current.keymaps[name] = false
    end
  end
end

return M
