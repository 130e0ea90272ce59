#include "server/bench/bench_command.h"

#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"

namespace tenon::server {

int RunBench(const Invocation& invocation, const BenchOptions& options) {
  if (options.regex) {
    if (options.what != "masks" || !options.file.empty() || options.language)
      return invocation.Fail("--regex belongs to bench masks, in place of --file and --language",
                             kExitWrongUsage);
    return BenchExpression(invocation, options);
  }
  if (options.what == "ambiguity" || options.what == "model") {
    if (!options.file.empty() || options.language)
      return invocation.Fail("bench " + options.what + " takes no --file and no --language",
                             kExitWrongUsage);
    return options.what == "model" ? BenchModel(invocation, options)
                                   : BenchAmbiguity(invocation, options);
  }
  if (options.what != "store" && options.file.empty())
    return invocation.Fail("bench " + options.what + " needs --file, a valid file of the language",
                           kExitWrongUsage);
  if (options.what == "lsp") return BenchLsp(invocation, options);
  if (options.what == "syntax") return BenchSyntax(invocation, options);
  if (options.file.empty() && !options.language)
    return invocation.Fail("bench store needs --language", kExitWrongUsage);
  const auto subject = BenchSubject::Read(invocation, options);
  if (!subject) return invocation.Fail(subject.error());
  PrintHead(invocation);
  if (options.what == "gap") return BenchGap(invocation, options, *subject);
  if (options.what == "store") return BenchStore(invocation, *subject);
  return BenchMasks(invocation, options, *subject);
}

}  // namespace tenon::server
