-- LSP character offsets (utf-8, utf-16 or utf-32) and byte columns of one line.
--
-- Written by hand since vim.str_utfindex changed its parameters in 0.11. Both functions are linear in the line; a column that
-- lies beyond the line counts as its end, as LSP says. Bytes that are no UTF-8 count as one unit each.
local M = {}

-- Length in bytes of the character that begins at byte i (from 1) of `line`.
local function character_bytes(line, i)
  local lead = line:byte(i)
  local length = lead < 0xC2 and 1 or lead < 0xE0 and 2 or lead < 0xF0 and 3 or lead < 0xF5 and 4 or 1
  for k = 1, length - 1 do
    local follow = line:byte(i + k)
    if not follow or follow < 0x80 or follow > 0xBF then
      return 1
    end
  end
  return length
end

local function units(length_bytes, encoding)
  if encoding == 'utf-8' then
    return length_bytes
  end
  return encoding == 'utf-16' and length_bytes == 4 and 2 or 1
end

-- The byte column (from 0) of an LSP character offset; inside a character: its beginning.
function M.byte_column(line, character, encoding)
  local i = 1
  while i <= #line do
    local length = character_bytes(line, i)
    character = character - units(length, encoding)
    if character < 0 then
      return i - 1
    end
    i = i + length
  end
  return #line
end

-- The LSP character offset of a byte column (from 0).
function M.character(line, byte_column, encoding)
  local i, character = 1, 0
  while i <= math.min(byte_column, #line) do
    local length = character_bytes(line, i)
    character = character + units(length, encoding)
    i = i + length
  end
  return character
end

return M
