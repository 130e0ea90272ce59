#include "server/files/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "server/files/file_descriptor.h"

namespace tenon::server {
namespace {

const char* KindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "is a folder";
  if (S_ISFIFO(mode)) return "is a pipe";
  if (S_ISSOCK(mode)) return "is a socket";
  return "is a device";
}

}  // namespace

tl::expected<std::string, std::string> ReadFile(const std::filesystem::path& path,
                                                size_t max_bytes) {
  const auto refuse = [&path](std::string_view why) {
    return tl::unexpected(fmt::format("{}: {}", path.string(), why));
  };
  const auto refuse_size = [&refuse, max_bytes](std::string_view bytes) {
    return refuse(fmt::format("has {} bytes, and at most {} are read; name a smaller file", bytes,
                              max_bytes));
  };
  // Without O_NONBLOCK the opening of a pipe waits for its writer.
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) return refuse(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return refuse(fmt::format("{}; name a file", KindOf(status.st_mode)));
  const auto announced = static_cast<size_t>(status.st_size);
  if (announced > max_bytes) return refuse_size(std::to_string(announced));

  // Files of the system announce no size, and others grow while they are read.
  constexpr size_t kPiece = size_t{64} << 10;
  std::string text;
  for (size_t have = 0;;) {
    text.resize(std::max(have + kPiece, announced + 1));
    const ssize_t got = read(file.number(), text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refuse(std::strerror(errno));
    have += static_cast<size_t>(got);
    if (have > max_bytes) return refuse_size(fmt::format("more than {}", max_bytes));
    if (got > 0) continue;
    text.resize(have);
    return text;
  }
}

}  // namespace tenon::server
