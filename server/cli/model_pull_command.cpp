#include "server/cli/model_pull_command.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "server/models/model_registry.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

// Beside the folder of the registry, in an installation and in the source tree.
fs::path Puller(const fs::path& executable) {
  return FindModelRegistry(executable).parent_path().parent_path() / "tools" / "model" / "pull";
}

}  // namespace

int RunModelPull(const Invocation& invocation, const std::string& name) {
  const fs::path tool = Puller(invocation.process().executable);
  std::error_code unknown;
  if (!fs::is_regular_file(tool, unknown))
    return invocation.Fail(fmt::format("{}: is missing; install tenon again", tool.string()));
  std::vector<std::string> words = {"python3", tool.string()};
  if (invocation.json()) words.emplace_back("--json");
  if (!name.empty()) words.insert(words.end(), {"--", name});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  invocation.process().out.flush();
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, "python3", nullptr, nullptr, arguments.data(), environ);
  if (error != 0)
    return invocation.Fail(
        fmt::format("python3 cannot be started ({}); install it", std::strerror(error)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return kExitFailed;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kExitFailed;
}

}  // namespace tenon::server
