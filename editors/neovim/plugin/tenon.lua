-- Commands, <Plug> maps and colours. Nothing is started here: require('tenon').setup() does that.
if vim.g.loaded_tenon then
  return
end
vim.g.loaded_tenon = true

vim.api.nvim_set_hl(0, 'TenonGhost', { default = true, link = 'Comment' })

local function command(name, run, attributes)
  vim.api.nvim_create_user_command(name, run, attributes)
end

-- Completes an argument from a list.
local function from(list)
  return function(begun)
    return vim.tbl_filter(function(word)
      return word:sub(1, #begun) == begun
    end, type(list) == 'function' and list() or list)
  end
end

command('TenonStatus', function()
  require('tenon.commands').status()
end, { desc = 'What the tenon server is doing' })

command('TenonToggle', function(given)
  local what = given.args == '' and 'file' or given.args
  if what ~= 'file' and what ~= 'language' and what ~= 'everywhere' then
    return vim.notify(("tenon: no '%s' to toggle; there are file, language and everywhere"):format(what), vim.log.levels.ERROR)
  end
  require('tenon').toggle(what)
end, { nargs = '?', complete = from({ 'file', 'language', 'everywhere' }), desc = 'Turn tenon on or off' })

command('TenonRestart', function()
  require('tenon').restart()
end, { desc = 'Start the tenon server anew' })

command('TenonLog', function(given)
  require('tenon.commands').log(given.args)
end, { nargs = '?', complete = from({ 'daemon', 'editor' }), desc = "Open tenon's log" })

command('TenonModel', function(given)
  require('tenon.commands').model(given.args)
end, {
  nargs = '?',
  complete = from(function()
    return require('tenon.commands').model_names()
  end),
  desc = 'Choose the model of tenon',
})

for _, name in ipairs({ 'accept', 'accept_word', 'accept_line', 'dismiss', 'complete', 'next', 'previous' }) do
  vim.keymap.set('i', ('<Plug>(tenon-%s)'):format(name), function()
    require('tenon')[name]()
  end, { desc = 'tenon: ' .. name })
end
