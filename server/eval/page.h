// The result of an evaluation as one HTML page: tables, plots, and the gaps one by one.
//
// The page is a single file that refers to nothing else: styles and plots stand in it, and there is
// no script. Example: a result with the languages "go" and "python" has a plot of the exact
// completions with two groups of bars, one bar for each constraint.
//
// The result is that of eval_command.h. Cost: linear in it. Thread rule: a pure function.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tenon::server {

[[nodiscard]] std::string PageOf(const nlohmann::json& result);

}  // namespace tenon::server
