// A gap: the place between a left and a right context, and the middle that is being written there.
//
//   left context | middle | right context
//
// A middle *closes* the gap when the three together are a valid text; it is then called a *member*.
// A gap is *viable* while its middle can still be continued to one that closes it. Example, in
// JSON:
//
//   auto gap = tenon::Gap::Open(json, R"({"a": [1, )", R"(]})");  // {"a": [1, |]}
//   gap.Check("2")    // true: `2` may stand here
//   gap.Check("]")    // false: `[1, ]` is no list, and nothing behind it repairs it
//   gap.Accept("[")   // true: the middle is `[`, and must be continued
//   gap.Member()      // false: `{"a": [1, []}` lacks a bracket
//   gap.Close()->text // "]"
//
// Check, Accept and Member are exact: a text is refused only if no continuation closes the gap.
//
// Text that a program writes obeys more than the grammar, unless GapOptions::emit is off:
//   the emit grammar   (language.h)
//   its surroundings   A word of the right context stays where it may be written. In a loop, in
//                      front of ` break; }`, the middle `} function h() {` would parse, and leave
//                      `break` without a loop. Member, Close and budgets see to it; Check and
//                      Accept do not, as more text may mend it.
//   the seam rule      A comment or string opened in the middle is closed in the middle. In
//                      `f(a, |)` the middle `b) #` would parse, and comment out the bracket.
//                      GapOptions::seam lifts it for gaps like `{"a": |b"}`, where the right
//                      context is the end of a string and can be nothing else.
//
// A gap is a value: a copy is a fork, and to keep the old copy is rollback. Both are cheap.
//
// Source: Melcer, Fulton, Gouru and Qian, Constrained Decoding for Fill-in-the-Middle Code Language
// Models via Efficient Left and Right Quotienting of Context-Sensitive Grammars, 2024.
// Cost: opening is linear in both contexts, milliseconds for a file of a thousand lines (document.h
// opens gaps of an edited document cheaper); a check takes microseconds a token.
// Thread rule: a gap and all its copies belong to one thread at a time, for const functions too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/export.h"
#include "tenon/language.h"

namespace tenon {

namespace constraint {
class GapState;
}

// How many tokens of a model's vocabulary write a text; kNoTokens where none do.
using TokenCount = std::function<uint32_t(std::string_view)>;
inline constexpr uint32_t kNoTokens = std::numeric_limits<uint32_t>::max();

// How far a middle may go from the cursor; each is wider than the next.
enum class Scope : uint8_t {
  kFree,       // any middle that fits
  kBlock,      // the cursor's block is not ended, or its line opens the block again
  kStatement,  // the cursor's statement; lines after it only in deeper blocks
  kLine,       // no line end
  kArgument,   // the enclosing bracket is not closed; as kLine where none is open
};
// "free", "block", "statement", "line", "argument".
TENON_API std::optional<Scope> ScopeNamed(std::string_view name);
TENON_API const char* ToString(Scope scope);

// Which comments and strings that the middle opens may end in the right context; each allows more
// than the one before.
enum class Seam : uint8_t {
  kClosed,  // none: the seam rule
  kLine,    // strings that end in the right context's first line
  kRest,    // comments and strings of which the right context can only be the rest: `text */`
  kOpen,    // all: comments of a line, strings with fields, regular expressions
};
// "closed", "line", "rest", "open".
TENON_API const char* ToString(Seam seam);

struct GapOptions {
  // Off: the middle is judged by the accepted language alone, and `seam`, `scope` and `level` mean
  // nothing.
  bool emit = true;
  // A last resort, for a gap that no middle closes at a narrower seam.
  Seam seam = Seam::kClosed;
  // With a scope, viable and Check ask about a middle within it that any text may follow; Close,
  // Member and Budget keep to the scope throughout.
  Scope scope = Scope::kFree;
  // Where no middle closes the gap at this level, the lowest later level counts at which one does:
  // the contexts hold newer syntax already.
  Level level = {};
  // The longest closing text that is searched, as estimated: a terminal counts with a separator.
  size_t max_closing_bytes = 400;
  // The cost of closing texts, and of budgets (budget.h). Empty: a token a byte.
  TokenCount count = {};
};

// A text that closes a gap, verified.
struct Closing {
  std::string text;
  uint32_t tokens = 0;  // by GapOptions::count
};

class TENON_API Gap {
 public:
  // Both contexts, in UTF-8, are copied. Look at viable() first: false where nothing fits.
  [[nodiscard]] static Gap Open(const Language& language, std::string_view left,
                                std::string_view right, GapOptions options = {});

  // Is there a text that closes the gap from here?
  [[nodiscard]] bool viable() const;
  // The text has more readings at once than are followed: that the gap is not viable may be wrong.
  [[nodiscard]] bool too_ambiguous() const;
  // The right context is longer than is read of one; then the gap is not viable.
  [[nodiscard]] bool right_too_long() const;

  // Would the gap still be viable after `bytes`? They may end anywhere, inside a character too.
  [[nodiscard]] bool Check(std::string_view bytes) const;
  // Appends `bytes` to the middle if Check allows them; otherwise nothing changes.
  bool Accept(std::string_view bytes);
  // Does the middle, as it is, close the gap?
  [[nodiscard]] bool Member() const;
  [[nodiscard]] const std::string& middle() const;

  // Names of terminals. After a blank, the terminals that may come next: in a JSON file, `[ |`
  // expects STRING, NUMBER and others. Else the terminals that the lexeme in progress may become:
  // `[tr|` expects TRUE, and `[|` LSQB, which is in progress until a byte after it is read.
  [[nodiscard]] std::vector<std::string> Expected() const;
  // The bytes that the middle may go on with; of more than `most` some `most` of them.
  [[nodiscard]] std::vector<uint8_t> LiveBytes(size_t most = 256) const;
  // The text, of at most `most_bytes`, that every continuation begins with: in `tr|` before `e}` of
  // a JSON file it is `u`. Empty where there is a choice, and where the middle is a member.
  [[nodiscard]] std::string Forced(size_t most_bytes) const;

  // A short closing text: the first that is found of at most `enough` tokens, else the cheapest
  // found. Nothing: none was found within GapOptions::max_closing_bytes.
  [[nodiscard]] std::optional<Closing> Close(uint32_t enough = kNoTokens) const;
  // About how many bytes the cheapest closing text has, a blank behind each lexeme included; 0
  // where the middle is a member. An estimate, quicker than Close. Nothing: no closing text is
  // known.
  [[nodiscard]] std::optional<uint32_t> ClosingBytes() const;

  // The same gap with another scope. REQUIRES: an empty middle.
  [[nodiscard]] Gap WithScope(Scope scope) const;
  // The line end of the text around the gap: "\n", "\r\n" or "\r".
  [[nodiscard]] const std::string& line_end() const;
  // By GapOptions::count.
  [[nodiscard]] uint32_t CountTokens(std::string_view text) const;

 private:
  friend struct Internals;
  explicit Gap(const std::shared_ptr<const constraint::GapState>& opened)
      : opened_(opened), state_(opened) {}
  std::shared_ptr<const constraint::GapState> opened_;  // before anything is written
  std::shared_ptr<const constraint::GapState> state_;   // shared by copies until one accepts
};

}  // namespace tenon
