#include "server/lsp/stdio_loop.h"

#include <utility>

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "server/lsp/connection.h"
#include "server/lsp/keep_flags.h"
#include "server/lsp/shared_completer.h"

namespace tenon::server {

namespace asio = boost::asio;

int RunStdio(StdioOptions options, const std::function<void(int exit_code)>& on_end) {
  asio::io_context io{1};
  SharedCompleter completer(
      std::move(options.make_completer),
      [&io](std::function<void()> task) { asio::post(io, std::move(task)); }, LaterOn(io));
  Service service;
  service.completer = &completer;
  service.find_language = std::move(options.find_language);
  service.log = std::move(options.log);
  service.languages = std::move(options.languages);
  service.settings = std::move(options.settings);
  service.version = std::move(options.version);
  service.record = std::move(options.record);
  service.stages = std::move(options.stages);
  service.max_unread_bytes = options.max_unread_bytes;
  int exit_code = 1;
  {
    const KeepFlags keep_input(options.input);
    const KeepFlags keep_output(options.output);
    std::make_shared<Connection>(io, dup(options.input), dup(options.output), service,
                                 [&exit_code](int status) { exit_code = status; })
        ->Start();
    io.run();
  }
  on_end(exit_code);
  return exit_code;
}

}  // namespace tenon::server
