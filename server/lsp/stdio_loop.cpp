#include "server/lsp/stdio_loop.h"

#include <utility>

#include <unistd.h>

#include <boost/asio/io_context.hpp>

#include "server/lsp/connection.h"
#include "server/lsp/keep_flags.h"
#include "server/scheduling/shared_completer.h"

namespace tenon::server {

namespace asio = boost::asio;

int RunStdio(StdioOptions options, const std::function<void(int exit_code)>& on_end) {
  asio::io_context io{1};
  SharedCompleter completer(std::move(options.make_completer), PostTo(io), LaterOn(io));
  options.service.completer = &completer;
  int exit_code = 1;
  {
    const KeepFlags keep_input(options.input);
    const KeepFlags keep_output(options.output);
    std::make_shared<Connection>(io, dup(options.input), dup(options.output), options.service,
                                 [&exit_code](int status) { exit_code = status; })
        ->Start();
    io.run();
  }
  on_end(exit_code);
  return exit_code;
}

}  // namespace tenon::server
