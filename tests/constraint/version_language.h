// A toy language that grew: `m a: a;` and `a[*b]` came with its second version, `n a;` with the
// third. What is older may become them: a value behind a name, a list with a star before which a
// name is written.
#pragma once

namespace tenon::constraint {

inline constexpr char kVersions[] = R"lark(
start: statement+
statement: value ";" | "m"#since_2 value ":" statement | "n"#since_3 NAME ";"
value: NAME | value "[" value "]" | value "[" "*"#since_2 value "]" | "[" items "]" | "(" items ")"
items: item | items "," item
item: value | "*" value
NAME: /[amn]+/
%soft "m" "n"
%ignore " "
%levels since_2 since_3
)lark";

}  // namespace tenon::constraint
