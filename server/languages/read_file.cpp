#include "server/languages/read_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include <fmt/format.h>

namespace tenon::server {

tl::expected<std::string, std::string> ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return tl::unexpected(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  std::string text;
  // By `read`: unlike an iterator of the buffer it says by the stream's state that reading failed,
  // and does not throw.
  std::vector<char> piece(size_t{64} << 10);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0)
    text.append(piece.data(), static_cast<size_t>(in.gcount()));
  if (in.bad())
    return tl::unexpected(fmt::format("{}: not a file that can be read", path.string()));
  return text;
}

}  // namespace tenon::server
