#include "server/cli/cut_file.h"

#include <utility>

#include <fmt/format.h>

#include "server/files/read_file.h"

namespace tenon::server {

tl::expected<CutFile, OptionFault> ReadCutFile(const std::string& path, const std::string& at) {
  const auto cut = CutFrom(at);
  if (!cut)
    return tl::unexpected(OptionFault{fmt::format("--at {}: must be A or A-B, byte offsets", at)});
  auto text = ReadFile(path);
  if (!text) return tl::unexpected(OptionFault{std::move(text.error()), kExitFailed});
  if (const auto contexts = TakeOut(*cut, *text); !contexts)
    return tl::unexpected(OptionFault{fmt::format("{}: --at {}", path, contexts.error())});
  return CutFile{*std::move(text), *cut};
}

}  // namespace tenon::server
