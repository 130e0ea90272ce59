// `tenon model list|use|add|remove|info|check|convert|bench`: the models, known by name or path.
//
// With --json each prints one JSON object a line:
//   list    {"folder", "available_bytes", "runs", "why", "passed_over"}, then for each model
//           {"name", "installed", "path", "file_bytes", "memory_bytes", "fits", "runs", "why",
//           "panel_bytes"}
//   use     {"used", "fits"}; "used" is null for --default
//   add     {"added", "path", "memory_bytes"}
//   remove  {"removed", "path"}
//   info    what the file holds, whether it runs, "file": is its hash checked?, and "panels": for
//           each panel file {"path", "bytes", "state"}
//   check   {"path", "sha256", "file"}: "checked", "damaged" or "no hash is known"
//   convert {"converted", "panels", "bytes", "made"}: "made" is false where it was done before
//   bench   the machine, then rows "prompt_512" (tokens/s), "decode" (ms), and "decode_2",
//           "decode_4", "decode_8": a pass over so many tokens, as with drafts
//
// Cost: that of reading a file's header; check reads the file, 1 s a GB; convert loads the model;
// bench takes some seconds to a minute. Thread rule: the main thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/invocation/invocation.h"

namespace tenon::server {

struct ModelOptions {
  std::string name;               // of use, remove
  bool use_default = false;       // of use: nothing is chosen any more
  std::string file;               // of add
  std::optional<std::string> as;  // of add: the name; else that of the file
  std::optional<std::string>
      what;         // of info, check, convert, bench: a name or path; else the model that runs
  size_t runs = 5;  // of bench
};

[[nodiscard]] int RunModelList(const Invocation& invocation);
[[nodiscard]] int RunModelUse(const Invocation& invocation, const ModelOptions& options);
[[nodiscard]] int RunModelAdd(const Invocation& invocation, const ModelOptions& options);
[[nodiscard]] int RunModelRemove(const Invocation& invocation, const ModelOptions& options);
// Exit status 1 where the model does not run.
[[nodiscard]] int RunModelInfo(const Invocation& invocation, const ModelOptions& options);
// Reads the whole file, even where its hash is known. Exit status 1 where it is damaged.
[[nodiscard]] int RunModelCheck(const Invocation& invocation, const ModelOptions& options);
// Loads a model and keeps its weights as they are laid out (server/models/panel_files.h), so that
// it loads from them from then on. Exit status 1 where they cannot be kept.
[[nodiscard]] int RunModelConvert(const Invocation& invocation, const ModelOptions& options);
[[nodiscard]] int RunModelBench(const Invocation& invocation, const ModelOptions& options);

// A row of `list` for each model: those of the registry in its order, then those that were added.
[[nodiscard]] std::vector<nlohmann::json> ModelRows(
    const ModelsAtHand& at_hand, const tl::expected<ModelChoice, std::string>& choice);
// The rows as lines of a table, each after `indent`.
[[nodiscard]] std::string ModelTable(const std::vector<nlohmann::json>& rows,
                                     const std::string& indent);

}  // namespace tenon::server
