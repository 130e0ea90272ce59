// Finds the user's daemon, and starts it where there is none.
//
// The socket's name is made of everything that makes two daemons differ: the build of the program,
// the model, the arguments. Example: after an update of tenon the next editor starts a new daemon,
// and the old one ends when its last editor is gone.
//
// A daemon is this program, started with the arguments of this process and then "--daemon SOCKET",
// in a session of its own (setsid(2)). It writes "ready" to its standard output and closes it.
// Editors that start at the same time start several daemons, of which one serves (daemon_lock.h).
//
// Cost: a connection takes below 1 ms, a start some 30 ms; nothing is polled, but where a daemon
// ends at the moment of connecting. Thread rule: the I/O thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <spdlog/logger.h>
#include <boost/asio/awaitable.hpp>
#include <tl/expected.hpp>

#include "server/files/file_descriptor.h"

namespace tenon::server {

struct DaemonProgram {
  std::filesystem::path socket;
  std::filesystem::path program;       // what is executed
  std::vector<std::string> arguments;  // the first is the program's name
  std::filesystem::path folder;        // that it works in
  std::filesystem::path error_file;    // takes its standard error
};

// "tenon-0123456789abcdef.sock": equal for equal lists.
[[nodiscard]] std::string SocketName(const std::vector<std::string>& differences);
// A file as it is now, in words that differ for another one: path, size and time of writing.
[[nodiscard]] std::string FileState(const std::filesystem::path& file);

// Starts the program in a session of its own. Returns the reading end of its standard output, which
// ends with it, or when it closes it.
[[nodiscard]] tl::expected<FileDescriptor, std::string> StartDaemon(const DaemonProgram& daemon);

// A connection. The error names the obstacle.
[[nodiscard]] boost::asio::awaitable<tl::expected<FileDescriptor, std::string>> ReachDaemon(
    DaemonProgram daemon, std::shared_ptr<spdlog::logger> log);

}  // namespace tenon::server
