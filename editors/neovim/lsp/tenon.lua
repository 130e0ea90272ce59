-- For Neovim 0.11 and newer without the plugin: vim.lsp.enable('tenon'). See :help tenon-builtin.
return {
  cmd = { 'tenon', '--stdio' },
  filetypes = {
    'c', 'cpp', 'cs', 'css', 'go', 'html', 'java', 'javascript', 'javascriptreact', 'json',
    'jsonc', 'lua', 'markdown', 'php', 'python', 'ruby', 'rust', 'sh', 'sql', 'toml', 'typescript',
    'typescriptreact', 'yaml',
  },
  root_markers = { '.git' },
}
