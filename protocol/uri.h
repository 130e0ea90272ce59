// The one part of a document's URI that tenon needs: the name of the file.
//
// Source: RFC 3986 (percent encoding). Cost: linear. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace tenon::protocol {

// The last segment of the path, decoded: "file:///a/b%20c.py?x#y" gives "b c.py". An untitled
// document gives its name.
[[nodiscard]] std::string BaseName(std::string_view uri);

}  // namespace tenon::protocol
