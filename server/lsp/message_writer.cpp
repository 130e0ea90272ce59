#include "server/lsp/message_writer.h"

#include <iterator>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include "protocol/framing.h"

namespace tenon::server {

namespace asio = boost::asio;

MessageWriter::MessageWriter(asio::posix::stream_descriptor& output, KeepAlive keep_alive,
                             OnProgress on_progress)
    : output_(output), keep_alive_(std::move(keep_alive)), on_progress_(std::move(on_progress)) {}

void MessageWriter::Send(std::string_view body) {
  if (failed_) return;
  unwritten_.push_back(protocol::EncodeFrame(body));
  bytes_ += unwritten_.back().size();
  if (unwritten_.size() == 1) WriteFront();
}

void MessageWriter::ForgetWaiting() {
  if (unwritten_.empty()) return;
  unwritten_.erase(std::next(unwritten_.begin()), unwritten_.end());
  bytes_ = unwritten_.front().size();
}

void MessageWriter::WriteFront() {
  asio::async_write(output_, asio::buffer(unwritten_.front()),
                    [this, owner = keep_alive_()](const boost::system::error_code& error, size_t) {
                      if (error) {
                        failed_ = true;
                        unwritten_.clear();
                        bytes_ = 0;
                      } else {
                        bytes_ -= unwritten_.front().size();
                        unwritten_.pop_front();
                        if (!unwritten_.empty()) WriteFront();
                      }
                      on_progress_(error);
                    });
}

}  // namespace tenon::server
