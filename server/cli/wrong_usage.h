// Why a command line cannot be read, in a sentence for the person who typed it.
//
// CLI11 says "The following argument was not expected: chekc". The sentence here is "there is no
// command 'chekc'; the nearest is 'check'; 'tenon --help' lists what there is". The other words of
// CLI11, such as "--seed: '-1' is no whole number …", get the same ending.
//
// Cost: an edit distance for each known name. Thread rule: a pure function.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tenon::server {

// `error`: what parsing `app` has thrown; not --help or --version.
[[nodiscard]] std::string WhyWrong(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tenon::server
