// The parts of a document's URI that tenon needs: the name of the file, and its path.
//
// Source: RFC 3986 (percent encoding). Cost: linear. Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenon::protocol {

// The last segment of the path, decoded: "file:///a/b%20c.py?x#y" gives "b c.py". An untitled
// document gives its name.
[[nodiscard]] std::string BaseName(std::string_view uri);
// The path of a file on this machine: "file:///a/b%20c.py" gives "/a/b c.py". Nothing where the URI
// is none of a file, or of one on another machine.
[[nodiscard]] std::optional<std::string> FilePath(std::string_view uri);

}  // namespace tenon::protocol
