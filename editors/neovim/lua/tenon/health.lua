-- :checkhealth tenon
local M = {}

-- The report functions were renamed in 0.10.
local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn

function M.check()
  start('tenon')
  for _, line in ipairs(require('tenon').status_lines()) do
    local report = line:find('^state:') and not line:find('ready') and warn or ok
    report(line)
  end
end

return M
