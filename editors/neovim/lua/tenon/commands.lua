-- What the commands of plugin/tenon.lua do.
local options = require('tenon.options')
local server = require('tenon.server')

local M = {}

local function complain(message)
  vim.notify('tenon: ' .. message, vim.log.levels.ERROR)
end

function M.status()
  print(table.concat(require('tenon').status_lines(), '\n'))
end

-- The log of the daemon, which does the work, and Neovim's log of its servers, which has what `tenon --stdio` says.
local function logs()
  -- A path that is empty or relative does not count, as in the program.
  local state = vim.env.XDG_STATE_HOME
  state = state and state:sub(1, 1) == '/' and state or vim.fn.expand('~/.local/state')
  return { daemon = state .. '/tenon/daemon.log', editor = server.log_path() }
end

-- Opens a log at its end, in a window of its own.
function M.log(which)
  local paths = logs()
  local path = which ~= '' and paths[which] or paths.daemon
  if which ~= '' and not paths[which] then
    return complain(("there is no log '%s'; there are daemon and editor"):format(which))
  elseif which == '' and vim.fn.filereadable(path) == 0 then
    path = paths.editor
  end
  if vim.fn.filereadable(path) == 0 then
    return complain(path .. ' does not exist: nothing has been logged')
  end
  vim.cmd('botright split ' .. vim.fn.fnameescape(path))
  vim.bo.readonly, vim.bo.modifiable, vim.bo.bufhidden, vim.bo.autoread = true, false, 'wipe', true
  vim.cmd('normal! G')
end

-- The models of `tenon model list`; nil and a complaint where the program cannot say.
local function models()
  local lines = vim.fn.systemlist({ options.current.cmd[1], 'model', 'list', '--json' })
  if vim.v.shell_error ~= 0 then
    complain(("'%s model list' failed: %s"):format(options.current.cmd[1], table.concat(lines, ' ')))
    return nil
  end
  local list = {}
  for _, line in ipairs(lines) do
    local fine, model = pcall(vim.json.decode, line)
    if fine and type(model) == 'table' and model.name and model.installed then
      list[#list + 1] = model
    end
  end
  return list
end

local function use(name)
  local said = vim.fn.system({ options.current.cmd[1], 'model', 'use', name })
  if vim.v.shell_error ~= 0 then
    return complain(vim.trim(said))
  end
  vim.notify('tenon: ' .. vim.trim(said))
  local set = options.current.init_options.model
  if set then
    vim.notify(("tenon: but setup{init_options} names the model '%s', which counts"):format(set), vim.log.levels.WARN)
  end
  require('tenon').restart()
end

-- Chooses the model `name` and restarts the server; without a name it shows those that are installed.
function M.model(name)
  if name ~= '' then
    return use(name)
  end
  local list = models()
  if not list then
    return
  end
  vim.ui.select(list, {
    prompt = 'Model of tenon',
    format_item = function(model)
      return ('%s (needs %d MB)%s'):format(model.name, model.memory_bytes / 1e6, model.runs and ', runs' or '')
    end,
  }, function(model)
    if model then
      use(model.name)
    end
  end)
end

function M.model_names()
  return vim.tbl_map(function(model)
    return model.name
  end, models() or {})
end

return M
