// The file with the brackets that are missing around the cursor, as its indentation shows them.
//
// Example: someone writes a method above another one, and the cursor, `|`, is in that one.
//
//   class A {                     class A {
//     b() {                         b() {
//       c();                          c();
//                                 }
//     d(e) {                        d(e) {
//       |                             |
//     }                             }
//   }                             }
//
// Left is the file, right the mended one. The line `d(e) {` is no deeper than `b() {`, whose
// bracket is still open there: so it lacks its partner. Elements of a list, with their commas, may
// be as deep as its head. A closer that begins a line closes a bracket of a line with its
// indentation: of `f() {⏎  g(a;⏎}` the bracket of `g` lacks its partner.
//
// A block may be *flat*: written at its head's own column, as in `(() => {⏎var a;⏎|⏎var b;⏎})();`.
// It has its partner where a closer below, of that column, lies below lines that are no deeper
// either.
//
// Brackets in comments, strings and regular expressions are none. Lines between two partners `(`
// and `)` belong to that bracket, those of a comment or docstring to that: however deep they are,
// they say nothing of a block around them.
//
// Closers come before the `;`, `:` or `{` at the end of their bracket's line, `f(a);` and
// `if (a) {`; else at the end of the line of code before the one that shows it, or in a line of
// their own where a `}` is among them. A head around the cursor that opens no bracket, while a `}`
// with its indentation follows the lines below it, lacks a `{`: it gets one at its end.
//
// A line above the cursor's may be *half typed*: `users.put(user.` above `log.info(|);`. It opens a
// bracket within, and the cursor's line shows that the partner is missing: it begins with a word,
// closes no bracket of the lines above, and is no deeper. A blank line tells less. Below `f(a`
// there may come `, b)` or a statement: the mended file has the bracket, and no rule about what is
// missing counts it.
//
// A syntax tree takes `d(e) {` of the left file for something else, a call, and each statement in
// it is an error more. The mended file's tree says whether a text at the cursor is an error. No
// language is known here: who asks looks whether the tree has fewer errors with the brackets.
//
// Source: our own. Cost: linear in the text above the cursor; for each line with a bracket without
// a partner in the lines below it; and, where one is missing, in the text below the cursor. Thread
// rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::server {

struct MendedText {
  std::string text;
  size_t cursor = 0;
};

// Is a line above the cursor's half typed?
[[nodiscard]] bool ComesAfterHalfTyped(std::string_view text, size_t cursor);

// Is a bracket missing in the lines above the cursor's, whatever the cursor's line will be?
[[nodiscard]] bool LacksBrackets(std::string_view text, size_t cursor);

// Nothing where none is missing in a line above the cursor's. `terminator`: comes after closers
// whose last one is no `}`, as `;` does. REQUIRES: the cursor lies in the text.
[[nodiscard]] std::optional<MendedText> WithMissingBrackets(std::string_view text, size_t cursor,
                                                            std::string_view terminator = "");

}  // namespace tenon::server
