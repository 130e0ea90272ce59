#include "server/documents/notebooks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "protocol/lsp_types.h"
#include "server/request/words.h"

namespace tenon::server {

using nlohmann::json;

namespace {

// NotebookCellKind.
constexpr int64_t kMarkup = 1;
constexpr int64_t kCode = 2;

std::vector<json> ArrayAt(const json& object, std::string_view path) {
  const json* value = protocol::FindPath(object, path);
  return value != nullptr && value->is_array() ? value->get<std::vector<json>>()
                                               : std::vector<json>();
}

std::optional<size_t> IndexAt(const json& object, std::string_view path) {
  const json* value = protocol::FindPath(object, path);
  if (value == nullptr || !value->is_number_unsigned()) return std::nullopt;
  return value->get<size_t>();
}

}  // namespace

tl::expected<Notebooks::Cell, std::string> Notebooks::ReadCell(const json& cell) {
  auto uri = protocol::ReadString(cell, "document");
  if (!uri) return tl::unexpected("a cell: " + uri.error());
  const json* kind = protocol::Find(cell, "kind");
  const bool markup =
      kind != nullptr && kind->is_number_integer() && kind->get<int64_t>() == kMarkup;
  return Cell{*std::move(uri), !markup};
}

void Notebooks::Note(std::optional<std::string>& fault, const std::string& error) {
  if (!fault) fault = error;
}

Notebooks::Result Notebooks::Open(const json& params, protocol::PositionEncoding encoding) {
  const auto uri = protocol::ReadString(params, "notebookDocument/uri");
  if (!uri) return tl::unexpected(uri.error());
  std::optional<std::string> fault;
  Cells cells;
  std::vector<std::string> uris;
  for (const json& cell : ArrayAt(params, "notebookDocument/cells")) {
    auto read = ReadCell(cell);
    if (!read) {
      Note(fault, read.error());
      continue;
    }
    uris.push_back(read->uri);
    cells.push_back(*std::move(read));
  }
  for (const json& item : ArrayAt(params, "cellTextDocuments")) {
    const auto opened = documents_.Open({{"textDocument", item}}, encoding);
    if (!opened) Note(fault, opened.error());
  }
  notebooks_.insert_or_assign(*uri, std::move(cells));
  if (fault) return tl::unexpected(*fault);
  return uris;
}

void Notebooks::ChangeStructure(const json& structure, protocol::PositionEncoding encoding,
                                Cells& cells, std::optional<std::string>& fault) {
  const auto start = IndexAt(structure, "array/start");
  const auto removed = IndexAt(structure, "array/deleteCount");
  if (!start || !removed) {
    Note(fault, "'structure/array' needs 'start' and 'deleteCount', whole numbers from 0");
  } else {
    const auto begin = static_cast<std::ptrdiff_t>(std::min(*start, cells.size()));
    const auto count = std::min(*removed, cells.size() - static_cast<size_t>(begin));
    cells.erase(cells.begin() + begin, cells.begin() + begin + static_cast<std::ptrdiff_t>(count));
    auto at = begin;
    for (const json& cell : ArrayAt(structure, "array/cells")) {
      auto read = ReadCell(cell);
      if (read)
        cells.insert(cells.begin() + at++, *std::move(read));
      else
        Note(fault, read.error());
    }
  }
  for (const json& item : ArrayAt(structure, "didOpen")) {
    const auto opened = documents_.Open({{"textDocument", item}}, encoding);
    if (!opened) Note(fault, opened.error());
  }
  for (const json& item : ArrayAt(structure, "didClose")) {
    const auto closed = documents_.Close({{"textDocument", item}});
    if (!closed) Note(fault, closed.error());
  }
}

Notebooks::Result Notebooks::Change(const json& params, protocol::PositionEncoding encoding) {
  const auto uri = protocol::ReadString(params, "notebookDocument/uri");
  if (!uri) return tl::unexpected(uri.error());
  const auto found = notebooks_.find(*uri);
  if (found == notebooks_.end())
    return tl::unexpected(fmt::format("the notebook '{}' is not open", *uri));
  Cells& cells = found->second;
  std::vector<std::string> uris;
  for (const Cell& cell : cells) uris.push_back(cell.uri);
  std::optional<std::string> fault;
  if (const json* structure = protocol::FindPath(params, "change/cells/structure"))
    ChangeStructure(*structure, encoding, cells, fault);
  for (const json& data : ArrayAt(params, "change/cells/data")) {
    const auto read = ReadCell(data);
    for (Cell& cell : cells) {
      if (read && cell.uri == read->uri) cell.is_code = read->is_code;
    }
  }
  for (const json& content : ArrayAt(params, "change/cells/textContent")) {
    const auto cell = protocol::ReadString(content, "document/uri");
    if (cell)
      edit_(*cell, protocol::ReadContentChanges(protocol::Find(content, "changes")));
    else
      Note(fault, cell.error());
  }
  for (const Cell& cell : cells) uris.push_back(cell.uri);
  if (fault) return tl::unexpected(*fault);
  return uris;
}

Notebooks::Result Notebooks::Close(const json& params) {
  const auto uri = protocol::ReadString(params, "notebookDocument/uri");
  if (!uri) return tl::unexpected(uri.error());
  std::vector<std::string> uris;
  if (const auto found = notebooks_.find(*uri); found != notebooks_.end()) {
    for (const Cell& cell : found->second) uris.push_back(cell.uri);
    notebooks_.erase(found);
  }
  for (const json& item : ArrayAt(params, "cellTextDocuments")) {
    if (auto closed = documents_.Close({{"textDocument", item}})) uris.push_back(*closed);
  }
  return uris;
}

std::vector<json> Notebooks::OpenParams() const {
  std::vector<json> all;
  for (const auto& [uri, cells] : notebooks_) {
    json list = json::array(), texts = json::array();
    for (const Cell& cell : cells) {
      list.push_back({{"kind", cell.is_code ? kCode : kMarkup}, {"document", cell.uri}});
      if (const ClientDocument* document = documents_.Find(cell.uri))
        texts.push_back(tenon::server::OpenParams(cell.uri, *document));
    }
    all.push_back({{"notebookDocument",
                    {{"uri", uri}, {"notebookType", ""}, {"version", 0}, {"cells", list}}},
                   {"cellTextDocuments", texts}});
  }
  return all;
}

const Notebooks::Cells* Notebooks::NotebookOf(const std::string& cell_uri) const {
  const auto is_cell = [&cell_uri](const Cell& cell) { return cell.uri == cell_uri; };
  for (const auto& [notebook, cells] : notebooks_) {
    if (std::any_of(cells.begin(), cells.end(), is_cell)) return &cells;
  }
  return nullptr;
}

std::optional<CellSurroundings> Notebooks::Around(const std::string& uri) const {
  const ClientDocument* self = documents_.Find(uri);
  const Cells* cells = self != nullptr ? NotebookOf(uri) : nullptr;
  if (cells == nullptr) return std::nullopt;
  CellSurroundings around;
  std::string* side = &around.before;
  for (const Cell& cell : *cells) {
    if (cell.uri == uri) {
      side = &around.after;
      continue;
    }
    const ClientDocument* document = documents_.Find(cell.uri);
    if (!cell.is_code || document == nullptr || !document->in_step ||
        document->language_id != self->language_id || document->text.text().starts_with("%%"))
      continue;
    std::string text = WithoutMagics(document->text.text(), std::string::npos);
    if (side == &around.after && side->empty()) *side = "\n";  // the cell ends its last line
    *side += text;
    if (!text.empty() && text.back() != '\n') *side += '\n';
  }
  return around;
}

std::string WithoutMagics(std::string_view text, size_t cursor) {
  std::string out(text);
  for (size_t begin = 0; begin < out.size();) {
    const size_t end = std::min(out.find('\n', begin), out.size());
    const bool has_cursor = begin <= cursor && cursor <= end;
    const size_t first = std::min(out.find_first_not_of(kBlanks, begin), end);
    if (!has_cursor && first < end && (out[first] == '%' || out[first] == '!')) {
      for (size_t i = begin; i < end; ++i) {
        if (out[i] != '\r') out[i] = ' ';
      }
    }
    begin = end + 1;
  }
  return out;
}

}  // namespace tenon::server
