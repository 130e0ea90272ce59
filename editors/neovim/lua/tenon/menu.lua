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

local watched = {} -- menus of other plugins whose events are watched

-- Calls on_open and on_close when one of those menus does so. Plugins that are loaded later need another call.
function M.watch(group, on_open, on_close)
  local cmp = package.loaded['cmp']
  if type(cmp) == 'table' and cmp.event and not watched.cmp then
    watched.cmp = true
    cmp.event:on('menu_opened', on_open)
    cmp.event:on('menu_closed', on_close)
  end
  if not watched.blink then
    watched.blink = true
    vim.api.nvim_create_autocmd('User', { group = group, pattern = 'BlinkCmpMenuOpen', callback = on_open })
    vim.api.nvim_create_autocmd('User', { group = group, pattern = 'BlinkCmpMenuClose', callback = on_close })
  end
end

return M
