// The file around a region, as a witness for a middle in it: does the file still read there?
//
// The engine proves a middle between the region's stand-ins, and says nothing of the file's own
// text after the region. Example, where the region ends before `foreign`, a line that is broken
// further on:
//
//   create table a (                      create table a (
//     b int,                                b int,
//     |                                     |
//     foreign key (b) references c()        z int);
//   );
//
// Left is the file, right what is judged. Before `z int` the middle `"d"` is a column whose type is
// `z int`; in the file `foreign` cannot follow. The middle `d,` is good in both.
//
// Tenon's own closing text of the gap says how far the file can be read: up to a few bytes after
// the region, or up to what is broken. A middle has to let the engine read as far.
//
// The text before the cursor may be good, too: only the text after it is broken. Then the file can
// be read from its beginning, without a middle, up to its first error. A middle with which it
// cannot be read as far makes the first error come earlier. Example:
//
//   return (                              return (
//     <A                                    <A
//       |                                     |
//     >                                     >
//       <B c={d}} />                        </A>);
//     </A>);
//
// Left is the file, right what is judged. The middle `/` would make `/>` of the line below, and
// leave `<B`, which is before the error, no element to be in.
//
// Cost: of BytesUpToError: some fifteen readings of the file up to kMaxBytesToError bytes after
// the cursor, of ReadOnBytes: some ten readings of the region and kMaxReadOnBytes bytes, most of
// it kept by the document from one to the next; of FitsFile: a reading of the region, and one of
// the file up to its first error.
// Thread rule: pure functions; `may_follow` is called on the same thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "server/region/region.h"
#include "tenon/language.h"

namespace tenon::server {

inline constexpr size_t kMaxReadOnBytes = 400;

inline constexpr size_t kMaxBytesToError = 20'000;

// How many bytes of the file, which has no middle yet, can be read from its beginning; the word
// that is broken is not among them, nor is a marker of a conflict. At most kMaxBytesToError after
// the cursor. 0: the file is broken before the cursor.
[[nodiscard]] size_t BytesUpToError(std::string_view text, size_t cursor,
                                    const std::function<bool(std::string_view left)>& may_follow);

// Can the file be read with `middle` as far as without it? `bytes_up_to_error`: BytesUpToError.
// True of a file that is broken before the cursor.
[[nodiscard]] bool LetsFileRead(size_t bytes_up_to_error, std::string_view text, size_t cursor,
                                std::string_view middle,
                                const std::function<bool(std::string_view left)>& may_follow);

// How many bytes of the file after the region can be read with `middle`: kMaxReadOnBytes at most.
// `may_follow`: may some text follow `left`?
[[nodiscard]] size_t ReadOnBytes(const Region& region, std::string_view text, size_t cursor,
                                 std::string_view middle,
                                 const std::function<bool(std::string_view left)>& may_follow);

// Can the first word of the file after the region be read with `middle`?
[[nodiscard]] bool LetsReadAWord(const Region& region, std::string_view text, size_t cursor,
                                 std::string_view middle,
                                 const std::function<bool(std::string_view left)>& may_follow);

// Does a middle in the region fit the file around it? A middle that fits
//   - takes no bracket from a stand-in and leaves none to one (MovesBrackets);
//   - lets the file be read as far as without it (LetsFileRead);
//   - lets the engine read region.read_on_bytes of the file after the region.
[[nodiscard]] bool FitsFile(const Language& language, const Region& region, std::string_view text,
                            size_t cursor, std::string_view middle);

}  // namespace tenon::server
