-- Keys of insert mode. A key that acts on a suggestion does what it did before where there is none.
local M = {}

local ACTS_ON_SUGGESTION = { 'accept', 'accept_word', 'accept_line', 'dismiss', 'next', 'previous' }

local function raw(key)
  return vim.api.nvim_replace_termcodes(key, true, true, true)
end

-- The map of insert mode that the key has already in all buffers; nil where it has none, or it is ours.
local function map_of(key)
  for _, map in ipairs(vim.api.nvim_get_keymap('i')) do
    if raw(map.lhs) == raw(key) and not (map.desc or ''):find('^tenon: ') then
      return map
    end
  end
  return nil
end

-- Gives <Plug>(tenon-old-NAME) what the key does without tenon.
local function keep_old(name, key)
  local plug = ('<Plug>(tenon-old-%s)'):format(name)
  local old = map_of(key)
  if not old then
    -- Where the key is ours from an earlier setup(), the old meaning is kept already.
    if vim.fn.maparg(plug, 'i') == '' then
      vim.keymap.set('i', plug, key, { desc = 'tenon: the key itself' })
    end
    return plug
  end
  local settings = { expr = old.expr == 1, remap = old.noremap == 0, silent = old.silent == 1, desc = 'tenon: ' .. (old.desc or key) }
  if settings.expr then
    settings.replace_keycodes = old.replace_keycodes == 1 -- 0.7 does not say so: there the function itself replaces them
  end
  local rhs = old.callback or (old.rhs or ''):gsub('<[Ss][Ii][Dd]>', ('<SNR>%d_'):format(old.sid or 0))
  if rhs == '' then
    rhs = '<Nop>'
  end
  vim.keymap.set('i', plug, rhs, settings)
  return plug
end

-- keymaps: action -> key, or false for none. `actions` has visible().
function M.map(keymaps, actions)
  for _, name in ipairs(ACTS_ON_SUGGESTION) do
    local key = keymaps[name]
    if key then
      local old = keep_old(name, key)
      local act = ('<Plug>(tenon-%s)'):format(name)
      vim.keymap.set('i', key, function()
        return actions.visible() and act or old
      end, { expr = true, remap = true, desc = 'tenon: ' .. name })
    end
  end
  if keymaps.complete then
    vim.keymap.set('i', keymaps.complete, '<Plug>(tenon-complete)', { remap = true, desc = 'tenon: complete' })
  end
end

-- Who answers the key in insert mode of this buffer: 'tenon', the description of another map, or nil for nobody.
function M.owner(key)
  local map = vim.fn.maparg(key, 'i', false, true)
  if vim.tbl_isempty(map) then
    return nil
  elseif (map.desc or ''):find('^tenon: ') then
    return 'tenon'
  end
  return map.desc or (type(map.rhs) == 'string' and map.rhs ~= '' and map.rhs) or 'a Lua function'
end

return M
