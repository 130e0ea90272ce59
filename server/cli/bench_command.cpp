#include "server/cli/bench_command.h"

#include "server/cli/bench_subject.h"
#include "server/cli/measurement.h"

namespace tenon::server {

int RunBench(const Session& session, const BenchOptions& options) {
  if (options.regex) {
    if (options.what != "masks" || !options.file.empty() || options.language)
      return session.Fail("--regex belongs to bench masks, in place of --file and --language", kWrongUsage);
    return BenchExpression(session, options);
  }
  if (options.what != "store" && options.file.empty())
    return session.Fail("bench " + options.what + " needs --file, a valid file of the language", kWrongUsage);
  if (options.file.empty() && !options.language) return session.Fail("bench store needs --language", kWrongUsage);
  const auto subject = BenchSubject::Read(session, options);
  if (!subject) return session.Fail(subject.error());
  PrintHead(session);
  if (options.what == "gap") return BenchGap(session, options, *subject);
  if (options.what == "store") return BenchStore(session, *subject);
  return BenchMasks(session, options, *subject);
}

}  // namespace tenon::server
