#include "server/cli/wrong_usage.h"

#include <vector>

#include <fmt/format.h>

#include "server/models/nearest_name.h"

namespace tenon::server {
namespace {

// The commands that were read so far, the program first: `tenon`, `model`, `use`.
std::vector<const CLI::App*> CommandsRead(const CLI::App& app) {
  std::vector<const CLI::App*> commands = {&app};
  while (!commands.back()->get_subcommands().empty())
    commands.push_back(commands.back()->get_subcommands().back());
  return commands;
}

std::vector<std::string> CommandsBelow(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(below->get_name());
  return names;
}

std::vector<std::string> OptionsOf(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return names;
}

// A word that no option and no command takes.
std::string WhyExtra(const std::string& word, const std::vector<const CLI::App*>& commands) {
  if (word.starts_with('-')) {
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("there is no option '{}'{}", name, NearestHint(name, OptionsOf(commands)));
  }
  const std::vector<std::string> below = CommandsBelow(*commands.back());
  if (below.empty()) return fmt::format("'{}' is one word too many", word);
  return fmt::format("there is no command '{}'{}", word, NearestHint(word, below));
}

}  // namespace

std::string WhyWrong(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<const CLI::App*> commands = CommandsRead(app);
  std::string typed;
  for (const CLI::App* command : commands)
    typed += (typed.empty() ? "" : " ") + command->get_name();
  const std::vector<std::string> extra = app.remaining(true);
  const bool lacks_command = commands.back()->get_require_subcommand_min() > 0;
  const bool is_extra = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  std::string why = error.what();
  if (!extra.empty() && (lacks_command || is_extra))
    why = WhyExtra(extra.front(), commands);
  else if (lacks_command)
    why = fmt::format("{} needs one of its commands: {}", typed,
                      fmt::join(CommandsBelow(*commands.back()), ", "));
  return fmt::format("{}; '{} --help' lists what there is", why, typed);
}

}  // namespace tenon::server
