#include "server/lsp/shared_completer.h"

namespace tenon::server {

Completer& SharedCompleter::Start(const Settings& settings) {
  if (completer_ == nullptr) {
    completer_ = make_(settings);
    scheduler_.emplace(*completer_, post_);
  }
  return *completer_;
}

}  // namespace tenon::server
