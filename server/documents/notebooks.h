// The notebooks that the client has open: which documents are their cells, in which order.
//
// A cell is a document like any other, and the code cells of a notebook that have the same language
// are one text. Example, with the cursor as `|`: two cells
//
//   import os          and          os.|
//
// make the text "import os\nos.|\n" for the completer, and its item lies in the second cell again.
//
// Some lines of a cell are no code: `%matplotlib inline`, `!pip install x`. They are blanked, and
// a cell that begins with `%%` is left out. A cell may be broken, too: then the text as a whole
// does not parse, nothing fits, and the cell is completed by itself.
//
// Source: LSP 3.18, "Notebook Document Synchronization". Cost: the texts of the cells are joined
// for a question. Thread rule: the I/O thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "protocol/content_changes.h"
#include "protocol/position.h"
#include "server/documents/client_documents.h"

namespace tenon::server {

// The text around a cell: that of the cells before it, and of those after it.
struct CellSurroundings {
  std::string before;
  std::string after;
};

class Notebooks {
 public:
  // Edits the document of a cell, and hears of the edits that cannot be read.
  using Edit = std::function<void(const std::string& uri, const protocol::ContentChanges& changes)>;

  Notebooks(ClientDocuments& documents, Edit edit)
      : documents_(documents), edit_(std::move(edit)) {}

  // Each takes the params of its notification, opens, changes and closes the documents of cells,
  // and returns the URIs of all cells that the notebook has or had. The error says what is wrong
  // with the notebook; what could be read was done.
  using Result = tl::expected<std::vector<std::string>, std::string>;
  Result Open(const nlohmann::json& params, protocol::PositionEncoding encoding);
  Result Change(const nlohmann::json& params, protocol::PositionEncoding encoding);
  Result Close(const nlohmann::json& params);

  // The params of notebookDocument/didOpen for each notebook as it is now.
  [[nodiscard]] std::vector<nlohmann::json> OpenParams() const;

  // Nothing where the document is no cell.
  [[nodiscard]] std::optional<CellSurroundings> Around(const std::string& uri) const;
  [[nodiscard]] bool IsCell(const std::string& uri) const { return NotebookOf(uri) != nullptr; }

 private:
  struct Cell {
    std::string uri;
    bool is_code = true;
  };
  using Cells = std::vector<Cell>;
  [[nodiscard]] static tl::expected<Cell, std::string> ReadCell(const nlohmann::json& cell);
  // The first fault that was found is kept.
  static void Note(std::optional<std::string>& fault, const std::string& error);
  void ChangeStructure(const nlohmann::json& structure, protocol::PositionEncoding encoding,
                       Cells& cells, std::optional<std::string>& fault);

  // The cells of the notebook that has this one; null where none has.
  [[nodiscard]] const Cells* NotebookOf(const std::string& cell_uri) const;

  ClientDocuments& documents_;
  Edit edit_;
  std::map<std::string, Cells> notebooks_;  // by URI
};

// The text with the same length, the lines that are no code blank. `cursor` lies in a line that
// stays as it is.
[[nodiscard]] std::string WithoutMagics(std::string_view text, size_t cursor);

}  // namespace tenon::server
