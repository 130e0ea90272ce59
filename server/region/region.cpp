#include "server/region/region.h"

#include <algorithm>
#include <vector>

#include "server/request/indentation.h"

namespace tenon::server {

bool LeavesBracketsOpen(const Region& region, std::string_view text, size_t cursor,
                        std::string_view middle) {
  std::string code(middle);
  code += text.substr(cursor, region.end - cursor);
  code += std::string_view(region.after).substr(0, region.tail_bytes);
  const std::vector<size_t> open = OpenBrackets(code);
  return std::any_of(open.begin(), open.end(),
                     [&](size_t offset) { return offset < middle.size(); });
}

}  // namespace tenon::server
