// The documents that one client has open (editor_document.h), each with the completions that are
// known for it.
//
// A document that was renamed, or whose language was changed, is closed and opened again by the
// client. An untitled document has a URI without a file: its name is the last part of that URI.
//
// Source: LSP 3.18, "Text Document Synchronization". Cost: every text once, and once more where it
// was asked about since its last edit; the texts of some documents that were closed.
// Thread rule: the I/O thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "protocol/text_document.h"
#include "server/documents/editor_document.h"
#include "server/request/completer.h"
#include "server/scheduling/known_completions.h"

namespace tenon::server {

// The outcome of the last answered question about a document.
struct LastAnswer {
  std::optional<Guarantee> guarantee;  // of the last suggestion
  std::string reason;                  // why nothing was offered; empty where something was
};

// The end of the last edit, where the cursor mostly is.
struct EditEnd {
  size_t offset_bytes = 0;
  std::chrono::steady_clock::time_point at;
  bool has_had_list = false;  // a list was asked for there since
};

struct ClientDocument : EditorDocument {
  std::string name;  // of the file, without its folder
  std::string path;  // of the file; empty where there is none
  KnownCompletions known = {};
  // Answers for this very text of which the model was not sure enough: a keystroke gets none of
  // them, a person does.
  KnownCompletions withheld = {};
  LastAnswer last_answer = {};
  uint64_t last_edit = 0;                // grows with each edit of any document
  std::optional<EditEnd> edit_end = {};  // nothing after a whole text
};

class ClientDocuments {
 public:
  // Each takes the params of its notification and returns the document's URI. The error says what
  // is wrong with them. A document that is opened twice is the one opened last.
  using Result = tl::expected<std::string, std::string>;
  Result Open(const nlohmann::json& params, protocol::PositionEncoding encoding);
  Result Close(const nlohmann::json& params);
  // The error: the document is not open, or is out of step from now on.
  tl::expected<void, std::string> Change(const std::string& uri,
                                         const protocol::ContentChanges& changes);
  // All documents are out of step from now on. True where one was in step.
  bool PutOutOfStep();

  // Null where no document of this URI is open. Valid until the document is closed.
  [[nodiscard]] ClientDocument* Find(const std::string& uri);
  [[nodiscard]] const std::map<std::string, ClientDocument>& all() const { return documents_; }
  // The texts of other documents in the same language, at most `most`: open documents, the one that
  // was edited last first, and then documents that were closed lately.
  [[nodiscard]] std::vector<OtherText> OtherTexts(const ClientDocument& document,
                                                  size_t most) const;

 private:
  // Of the documents closed last so many are remembered, where they have no more bytes than that.
  static constexpr size_t kMaxClosed = 4;
  static constexpr size_t kMaxClosedBytes = size_t{256} << 10;

  struct Closed {
    std::string uri;
    std::string language_id;
    OtherText text;
  };
  void Forget(const std::string& uri);

  uint64_t edits_ = 0;
  std::list<Closed> closed_;                         // the latest first
  std::map<std::string, ClientDocument> documents_;  // by URI
};

}  // namespace tenon::server
