#include "server/cli/bench_command.h"

#include "server/cli/bench_subject.h"
#include "server/cli/measurement.h"

namespace tenon::server {

int RunBench(const Session& session, const BenchOptions& options) {
  const auto subject = BenchSubject::Read(session, options);
  if (!subject) return session.Fail(subject.error());
  PrintHead(session);
  if (options.what == "gap") return BenchGap(session, options, *subject);
  return BenchMasks(session, options, *subject);
}

}  // namespace tenon::server
