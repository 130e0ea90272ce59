-- Commands, <Plug> maps and colours. Nothing is started here: require('tenon').setup() does that.
if vim.g.loaded_tenon then
  return
end
vim.g.loaded_tenon = true

vim.api.nvim_set_hl(0, 'TenonGhost', { default = true, link = 'Comment' })

vim.api.nvim_create_user_command('TenonStatus', function()
  print(table.concat(require('tenon').status_lines(), '\n'))
end, { desc = 'What the tenon server is doing' })

local function map(name, method)
  vim.keymap.set('i', '<Plug>(tenon-' .. name .. ')', function()
    require('tenon')[method]()
  end, { desc = 'tenon: ' .. name })
end

map('accept', 'accept')
map('dismiss', 'dismiss')
map('complete', 'complete')
