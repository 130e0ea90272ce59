-- tenon for Neovim: ghost text from the language server `tenon`. See :help tenon.
--
-- Whatever happens to text or cursor calls update(), which keeps the suggestion (lua/tenon/shown.lua) where the user typed along
-- it, and drops it and asks anew (lua/tenon/question.lua) otherwise.
local keys = require('tenon.keys')
local menu = require('tenon.menu')
local options = require('tenon.options')
local question = require('tenon.question')
local rest = require('tenon.rest')
local server = require('tenon.server')
local shown = require('tenon.shown')
local status = require('tenon.status')
local switches = require('tenon.switches')

local M = {}

local timer = (vim.uv or vim.loop).new_timer()

local function inserting()
  return vim.api.nvim_get_mode().mode:sub(1, 1) == 'i'
end

local function has_room()
  return inserting() and (options.current.with_menu or not menu.visible())
end

-- Takes the suggestion away and stops what is under way. True where there was a suggestion.
function M.dismiss()
  timer:stop()
  question.cancel()
  local was_shown = shown.visible()
  shown.clear()
  return was_shown
end

-- Is a suggestion on the screen?
M.visible = shown.visible

-- True where no request is under way.
function M.idle()
  return question.idle() and not timer:is_active()
end

local function ask(trigger_kind)
  M.dismiss()
  if not switches.reason(0) then
    question.ask(trigger_kind, function(list)
      if has_room() then
        shown.show(list, trigger_kind == question.INVOKED)
      end
    end)
  end
end

-- Asks for a suggestion now.
function M.complete()
  ask(question.INVOKED)
end

local function ask_soon()
  timer:start(options.current.debounce_ms, 0, vim.schedule_wrap(function()
    -- The timer may have been stopped after it had rung.
    if not timer:is_active() and not shown.visible() and has_room() then
      ask(question.AUTOMATIC)
    end
  end))
end

-- Puts the suggestion, its next word or its next line into the buffer. False where there is none.
function M.accept()
  timer:stop()
  return shown.accept('all')
end

function M.accept_word()
  return shown.accept('word')
end

function M.accept_line()
  return shown.accept('line')
end

local function say_single()
  vim.api.nvim_echo({ { 'tenon: no other suggestion here' } }, false, {})
end

-- Shows another suggestion for this place. False where there is none at all.
function M.next()
  return shown.cycle(1, say_single)
end

function M.previous()
  return shown.cycle(-1, say_single)
end

-- Text or cursor changed.
local function update(text_changed)
  if shown.redraw() or question.is_here() then
    return
  end
  question.cancel()
  if text_changed then
    timer:stop()
    if options.current.auto_trigger and not switches.reason(0) then
      ask_soon()
    end
  end
end

-- The server has become ready: what was typed meanwhile got no answer.
local function on_status(became_ready)
  if became_ready and options.current.auto_trigger and inserting() and M.idle() then
    update(true)
  elseif became_ready then
    rest.moved()
  end
  status.announce()
end

-- Attaches the server to the buffer where tenon is on for it, and detaches it elsewhere.
local function attach(buffer)
  if not switches.reason(buffer) then
    server.attach(buffer, options.current, on_status)
  else
    server.detach(buffer)
  end
end

local function attach_all()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      attach(buffer)
    end
  end
end

-- Turns tenon on or off for this file, its language, or everywhere. Returns whether it is on there now.
function M.toggle(what)
  M.dismiss()
  local place, on = switches.toggle(what or 'file', vim.api.nvim_get_current_buf())
  attach_all()
  status.announce()
  vim.notify(('tenon: %s %s'):format(on and 'on' or 'off', place))
  return on
end

-- Ends the server and starts another: after another model was chosen, or it has failed.
function M.restart()
  M.dismiss()
  server.stop(attach_all)
end

local function watch(group)
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, callback = callback })
  end
  on('FileType', function(event)
    attach(event.buf)
  end)
  -- The server knows a text by its name.
  on('BufFilePre', function(event)
    server.detach(event.buf)
  end)
  on('BufFilePost', function(event)
    attach(event.buf)
  end)
  on({ 'TextChangedI', 'TextChangedP' }, function()
    update(true)
    rest.stop()
  end)
  on('CursorMovedI', function()
    update(false)
    -- Where typing moves it, TextChangedI or TextChangedP comes after this.
    rest.moved()
  end)
  on({ 'CursorMoved', 'TextChanged', 'BufEnter' }, rest.moved)
  on('InsertEnter', rest.insert_enter)
  on('FocusGained', function()
    rest.set_focused(true)
  end)
  on('FocusLost', function()
    rest.set_focused(false)
  end)
  on({ 'InsertLeave', 'BufLeave' }, function()
    M.dismiss()
  end)
  local function on_menu_open()
    if not options.current.with_menu then
      M.dismiss()
    end
  end
  local on_menu_close = vim.schedule_wrap(function()
    if inserting() and not shown.visible() then
      update(true)
    end
  end)
  on('CompleteChanged', on_menu_open)
  menu.watch_blink(group, on_menu_open, on_menu_close)
  on('InsertEnter', function()
    menu.watch_cmp(on_menu_open, on_menu_close)
  end)
end

function M.setup(opts)
  options.set(opts or {})
  keys.map(options.current.keymaps, M)
  watch(vim.api.nvim_create_augroup('tenon', { clear = true }))
  attach_all()
end

-- What :TenonStatus prints.
M.status_lines = status.lines

-- A few words for a statusline.
M.statusline = status.statusline

return M
