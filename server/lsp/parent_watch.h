// Tells when a process ends: the editor that started the server and named itself by `processId`.
//
// An editor that crashes cannot say `exit`, and its server should not stay. The kernel gives a
// descriptor that becomes readable when the process ends: nothing is polled. Where the kernel
// lacks it, the process is looked for every two seconds. A process that cannot be seen from the
// start (it lives on another machine or in another container) is not watched: the end of the input
// stream ends the server there.
//
// Source: pidfd_open(2) of Linux 5.3. Cost: a descriptor. Thread rule: the I/O thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <spdlog/logger.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace tenon::server {

class ParentWatch {
 public:
  ParentWatch(boost::asio::io_context& io, std::shared_ptr<spdlog::logger> log);

  void Watch(int64_t process_id, std::function<void()> on_end);
  // Forgets the process.
  void Stop();

 private:
  void Poll(int64_t process_id);
  void OnEnd();

  boost::asio::posix::stream_descriptor process_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<spdlog::logger> log_;
  // Null where nothing is watched. Handlers that are on their way look for it.
  std::shared_ptr<std::function<void()>> on_end_;
};

}  // namespace tenon::server
