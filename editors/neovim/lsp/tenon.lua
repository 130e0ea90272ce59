-- For Neovim 0.11 and newer without the plugin: vim.lsp.enable('tenon'). See :help tenon-builtin.
return {
  cmd = { 'tenon', '--stdio' },
  filetypes = { 'python', 'json' },
  root_markers = { '.git' },
}
