#include "server/files/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tenon::server {

tl::expected<NewFile, std::string> NewFile::Begin(const std::filesystem::path& path,
                                                  std::string_view option, OnFault on_fault) {
  constexpr mode_t kMode = 0600;
  const auto refuse = [&](const std::string& why) {
    return tl::unexpected(
        fmt::format("{}: {}; give {} a path of a file", path.string(), why, option));
  };
  // Without O_NONBLOCK the opening of a pipe waits for its reader.
  FileDescriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, kMode));
  struct stat status {};
  if (!file.open() && errno == ENXIO) return refuse("it is a pipe that nobody reads");
  if (!file.open() || fstat(file.number(), &status) != 0)
    return refuse(std::generic_category().message(errno));
  if (!S_ISREG(status.st_mode)) return refuse("it is no file");
  if (fchmod(file.number(), kMode) != 0 || ftruncate(file.number(), 0) != 0)
    return refuse(std::generic_category().message(errno));
  return NewFile(std::move(file), path.string(), std::move(on_fault));
}

void NewFile::Write(std::string_view text) {
  while (file_.open() && !text.empty()) {
    const ssize_t written = write(file_.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const std::string why = std::generic_category().message(errno);
      file_.Reset();
      if (on_fault_) on_fault_(fmt::format("{}: is not written any more: {}", path_, why));
      return;
    }
    text.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace tenon::server
