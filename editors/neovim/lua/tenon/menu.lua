-- Is a completion menu open? Neovim's own, that of nvim-cmp, and that of blink.cmp.
--
-- A menu and ghost text at once would both want the same keys, so ghost text waits until the menu closes (setup{with_menu}).
local M = {}

function M.visible()
  if vim.fn.pumvisible() == 1 then
    return true
  end
  -- Asked only where they are loaded already; each says so in its own way.
  local cmp, blink = package.loaded['cmp'], package.loaded['blink.cmp']
  local answers = {
    type(cmp) == 'table' and rawget(cmp, 'visible'),
    type(blink) == 'table' and rawget(blink, 'is_menu_visible'),
  }
  for _, ask in pairs(answers) do
    if type(ask) == 'function' then
      local fine, visible = pcall(ask)
      if fine and visible then
        return true
      end
    end
  end
  return false
end

-- Calls on_open and on_close when the menu of blink.cmp does so, which may be loaded later.
function M.watch_blink(group, on_open, on_close)
  vim.api.nvim_create_autocmd('User', { group = group, pattern = 'BlinkCmpMenuOpen', callback = on_open })
  vim.api.nvim_create_autocmd('User', { group = group, pattern = 'BlinkCmpMenuClose', callback = on_close })
end

local watches_cmp = false

-- The same for nvim-cmp. Where it is loaded later it needs another call.
function M.watch_cmp(on_open, on_close)
  local cmp = package.loaded['cmp']
  if type(cmp) == 'table' and cmp.event and not watches_cmp then
    watches_cmp = true
    cmp.event:on('menu_opened', on_open)
    cmp.event:on('menu_closed', on_close)
  end
end

return M
