#include "server/complete/completer.h"

#include <utility>

#include <fmt/format.h>

namespace tenon::server {

const char* ToString(Guarantee g) {
  switch (g) {
    case Guarantee::kFile:
      return "file";
    case Guarantee::kRegion:
      return "region";
    case Guarantee::kNone:
      return "none";
  }
  return "none";
}

const char* ToString(Ended e) {
  switch (e) {
    case Ended::kStop:
      return "stop";
    case Ended::kBudget:
      return "budget";
    case Ended::kWitness:
      return "witness";
  }
  return "stop";
}

CompletionAnswer CompletionAnswer::Nothing(std::string reason) {
  CompletionAnswer answer;
  answer.reason = std::move(reason);
  return answer;
}

CompletionAnswer CompletionAnswer::Cancelled() {
  CompletionAnswer answer;
  answer.cancelled = true;
  return answer;
}

CompletionAnswer CompletionAnswer::Infeasible(uint32_t needs_tokens) {
  CompletionAnswer answer = Nothing(fmt::format("infeasible, needs {} tokens", needs_tokens));
  answer.needs_tokens = needs_tokens;
  return answer;
}

}  // namespace tenon::server
