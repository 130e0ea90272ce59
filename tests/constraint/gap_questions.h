// Asks the engine the questions that the brute-force oracles answer, reusing one gap per right
// context.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "constraint/gap/gap.h"
#include "constraint/language/language.h"

namespace tenon::constraint {

// The gap before `right` with nothing left of it, asked about many left contexts (read as the
// middle of an exact gap: emit off).
class GapQuestions {
 public:
  GapQuestions(std::shared_ptr<const Language> language, std::string_view right,
               std::optional<size_t> pack_above = {})
      : root_(OpenGap(std::move(language), "", right,
                      GapPolicy{.emit = false, .pack_above = pack_above})) {}

  bool Viable(std::string_view left) const { return root_.Check(left); }
  bool Member(std::string_view left) const {
    GapState at = root_;
    return at.Accept(left) && at.Member();
  }

 private:
  GapState root_;
};

inline GapState OpenExact(const std::shared_ptr<const Language>& language, std::string_view left,
                          std::string_view right) {
  return OpenGap(language, left, right, GapPolicy{.emit = false});
}

// How often a viable gap found a closing text, for the tests that print and bound that share.
struct ClosingTally {
  size_t viable = 0, closed = 0;
  double share() const {
    return viable == 0 ? 1 : static_cast<double>(closed) / static_cast<double>(viable);
  }
};

// Line ends and quotes made visible, for messages.
inline std::string Shown(std::string_view text) {
  std::string out = "\"";
  for (char c : text)
    out += c == '\n' ? std::string("\\n") : c == '"' ? std::string("\\\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace tenon::constraint
