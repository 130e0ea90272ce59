// Cuts a middle that breaks a rule of the language for names (server/syntax/name_query.h): mostly
// it declares a name again which its scope may declare once.
//
// Example in JavaScript, with the middle `const b = 2;⏎const a = 3;` at the cursor:
//
//   const a = 1;
//   |
//
// Of the middle `const b = 2;` is offered. Names right of the cursor count, too: no mask can see
// them, as none knows which names R declares in the cursor's scope. Not for a file that is broken
// elsewhere: which scope a name has would be a guess.
//
// Cost: a parse of the middle's lines. Where they declare a name, or are no whole statements, the
// file is parsed, too; the parts that are tried (middle_parts.h) add little to that.
// Thread rule: one thread at a time.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/syntax/name_query.h"
#include "server/syntax/syntax_tree.h"
#include "tenon/gap.h"

namespace tenon::server {

class NameGuard {
 public:
  // The middle comes between `left` and `right`. `gap`: that of the middle; nothing is accepted
  // yet. REQUIRES: all live longer.
  NameGuard(const NameQuery& names, const TSLanguage* syntax, std::string_view left,
            std::string_view right, const Gap& gap)
      : names_(names), syntax_(syntax), left_(left), right_(right), gap_(gap) {}

  // Empty where nothing is left, or where the tree was not read before `stop`.
  [[nodiscard]] std::string PartWithinNameRules(std::string_view middle,
                                                const std::stop_token& stop);

 private:
  [[nodiscard]] bool MayBreak(std::string_view middle, const std::stop_token& stop) const;
  [[nodiscard]] bool IsGood(std::string_view middle, const std::stop_token& stop);

  const NameQuery& names_;
  const TSLanguage* syntax_;
  std::string_view left_, right_;
  const Gap& gap_;
  std::optional<SyntaxTree> last_;  // of the text with the last middle that was tried
};

}  // namespace tenon::server
