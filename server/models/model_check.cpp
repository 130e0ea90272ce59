#include "server/models/model_check.h"

#include <utility>

#include <fmt/format.h>

namespace tenon::server {

const char* ToString(ModelVerdict verdict) {
  switch (verdict) {
    case ModelVerdict::kNoHash:
      return "no hash is known";
    case ModelVerdict::kUnchecked:
      return "unchecked";
    case ModelVerdict::kGood:
      return "checked";
    case ModelVerdict::kDamaged:
      return "damaged";
  }
  return "unchecked";
}

ModelVerdict ModelCheck::Known() const {
  if (expected_.empty()) return ModelVerdict::kNoHash;
  const auto hash = known_.Find(file_);
  if (!hash) return ModelVerdict::kUnchecked;
  return *hash == expected_ ? ModelVerdict::kGood : ModelVerdict::kDamaged;
}

tl::expected<std::string, ModelCheck::Fault> ModelCheck::Check(
    const std::stop_token& stop, const HashProgress& on_progress) const {
  const auto before = StateOf(file_);
  auto hash = Sha256OfFile(file_, stop, on_progress);
  if (!hash) return tl::unexpected(Fault{std::move(hash.error())});
  // A file that changed meanwhile has the hash of neither.
  const bool changed = !before || StateOf(file_) != before;
  if (changed) return tl::unexpected(Fault{fmt::format("{}: changed meanwhile", file_.string())});
  const auto kept = known_.Add(file_, *before, *hash);
  if (!expected_.empty() && *hash != expected_) return tl::unexpected(Fault{DamageMessage(), true});
  if (!kept) return tl::unexpected(Fault{kept.error()});
  return *std::move(hash);
}

std::string ModelCheck::DamageMessage() const {
  return fmt::format(
      "{0}: the file is damaged (its SHA-256 is not {1}); remove it by 'tenon model remove {2}', "
      "then get it again: 'tenon model pull {2}', or 'tenon model add FILE' with a file of your "
      "own",
      file_.string(), expected_, name_);
}

}  // namespace tenon::server
