#include "server/offers/offered_items.h"

#include <algorithm>
#include <utility>

namespace tenon::server {

int64_t OfferedItems::Offer(const std::string& uri, size_t begin, std::string text, bool goes_on,
                            std::optional<OwedSign> owed) {
  std::deque<Offered>& offers = offers_[uri];
  if (goes_on && !offers.empty()) {
    auto before = std::find_if(offers.rbegin(), offers.rend(), [&text](const Offered& offer) {
      return offer.text.ends_with(text);
    });
    if (before == offers.rend()) before = offers.rbegin();
    before->begin = begin;
    before->text = std::move(text);
    return before->number;
  }
  offers.push_back({++last_, begin, std::move(text), std::move(owed), false});
  if (offers.size() > kKept) offers.pop_front();
  return last_;
}

size_t OfferedItems::OnEdit(const std::string& uri, std::string_view text, size_t inserted_bytes) {
  const auto found = offers_.find(uri);
  if (found == offers_.end()) return 0;
  size_t accepted = 0;
  for (Offered& offer : found->second) {
    const bool typed = inserted_bytes < 2 && offer.text.size() > 1;
    if (offer.accepted || typed || inserted_bytes == 0 || offer.begin > text.size()) continue;
    if (text.substr(offer.begin, offer.text.size()) != offer.text) continue;
    offer.accepted = true;
    ++accepted;
  }
  // Two items with one text at one place are one for the user.
  return accepted > 0 ? 1 : 0;
}

OfferedItems::CommandEffect OfferedItems::OnCommand(int64_t number) {
  for (auto& [uri, offers] : offers_) {
    for (Offered& offer : offers) {
      if (offer.number == number)
        return {!std::exchange(offer.accepted, true), std::exchange(offer.owed, std::nullopt)};
    }
  }
  return {};
}

}  // namespace tenon::server
