// The text that a server's model writes, as it comes.
//
// A stream gives one *piece* after another: the bytes of a token, how likely the model found it,
// and what it would have written else. Example, after `total = pri`:
//
//   `ce` .81, else `ces` .09, `ma` .02
//   ` *` .4,  else `⏎` .3, the end .1
//   the end
//
// A piece has the bytes alone where the server tells no more. A source opens streams: each is a
// request to the server, to write on after a text.
//
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace tenon::server {

// A token that may come next in a text.
struct ShownText {
  std::string bytes;                // of one token
  std::optional<double> nats = {};  // its -ln p; nothing: not told
  bool ends = false;                // not text: the model ends here
};

struct TextPiece {
  ShownText text;
  std::vector<ShownText> others =
      {};  // that the server has shown in its place, the likeliest first
};

// Why no more comes. The message names the server, the fault and the remedy.
struct StreamFault {
  enum class Kind : uint8_t {
    kServer,     // its words, its silence, or its absence
    kCancelled,  // nobody wants it any more
    kLate,       // the time of the request is over
  };
  Kind kind = Kind::kServer;
  std::string message;
};

class TextStream {
 public:
  virtual ~TextStream() = default;
  // Nothing: all tokens that were asked for have come.
  [[nodiscard]] virtual tl::expected<std::optional<TextPiece>, StreamFault> Next() = 0;
};

// How the text of a stream has to begin.
struct Opening {
  // The end of the left context that the prompt lacks, so that the model writes it anew.
  std::string healed = {};
  // After it a sign that is no blank: an end before it would be in vain.
  bool sign = false;
};

class TextSource {
 public:
  virtual ~TextSource() = default;
  // Asks for at most so many tokens after the prompt and `written`. Not every server can be told of
  // an opening: a stream may end sooner, and may begin otherwise.
  [[nodiscard]] virtual tl::expected<std::unique_ptr<TextStream>, StreamFault> Open(
      std::string_view written, int max_tokens, const Opening& opening) = 0;
};

}  // namespace tenon::server
