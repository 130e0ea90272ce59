#include "server/complete/completer.h"

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

}  // namespace tenon::server
