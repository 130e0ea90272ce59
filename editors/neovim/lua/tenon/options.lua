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

local function only_texts(list)
  return #list == #vim.tbl_filter(function(word)
    return type(word) == 'string'
  end, list)
end

-- What a value must be beside its type, with a check of it.
local forms = {
  cmd = { 'a program and its arguments', function(words)
    return #words > 0 and only_texts(words)
  end },
  filetypes = { 'a list of names', only_texts },
  debounce_ms = { '0 or more', function(milliseconds)
    return milliseconds >= 0
  end },
}

-- Why an option cannot have the value; nil where it can.
local function fault_of(name, value)
  local wanted, form = type(defaults[name]), forms[name]
  if defaults[name] == nil then
    return ("there is no option '%s'"):format(name)
  elseif name == 'keymaps' and value == false then
    return nil
  elseif type(value) ~= wanted then
    return ("'%s' must be a %s, not a %s"):format(name, wanted, type(value))
  elseif form and not form[2](value) then
    return ("'%s' must be %s"):format(name, form[1])
  end
  return nil
end

-- Takes the options of a user. One that is unknown or has a wrong value is named and left as it was.
function M.set(opts)
  local taken = {}
  for name, value in pairs(opts) do
    local fault = fault_of(name, value)
    if fault then
      complain(fault)
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
  for name, key in pairs(M.current.keymaps) do
    if defaults.keymaps[name] == nil then
      complain(("there is no key '%s'"):format(name))
      M.current.keymaps[name] = nil
    elseif keymaps == false then
      M.current.keymaps[name] = false
    elseif key ~= false and type(key) ~= 'string' then
      complain(("'keymaps.%s' must be a key or false"):format(name))
      M.current.keymaps[name] = defaults.keymaps[name]
    end
  end
end

return M
