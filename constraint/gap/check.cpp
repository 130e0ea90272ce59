#include "constraint/gap/error_message.h"
#include "constraint/gap/language.h"
#include "constraint/gap/reading.h"

namespace tenon::constraint {

CheckResult Check(const Language& language, std::string_view text, Strength strength, PredicateBits levels) {
  Reading reading(language, text, strength, levels);
  const Reading::Stop stop = reading.Run();
  if (stop == Reading::Stop::kAccepted) return {true, text.size(), ""};
  return ExplainStop(language, text, strength, reading, stop);
}

}  // namespace tenon::constraint
