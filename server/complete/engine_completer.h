// Completions from a local model under a grammar: the Completer that the program runs.
//
// The model loads on a thread of its own, from the moment that the completer is made. Then each
// request walks one path of four stages:
//   prepare   which task is it, and is there a text that closes its gap? (completion_task.h)
//   prefill   the model reads the prompt; the beginning that it shares with the last prompt is kept
//   decode    tokens are drawn through the constraint (decoder.h)
//   answer    the middle becomes an item, with the line ends of the file
// Every stage may end the path with an answer of its own: a reason, or that the request was
// cancelled. The first and the last stage are the same with a server's model (request_stages.h).
//
// A request whose time ends on that path is kept (unfinished_request.h). GoOn walks the path again
// without a time, and shows the model the same prompt.
//
// Source: docs/architecture.md, "A completion". Cost: docs/measured.md. Thread rule: as Completer
// says.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/inference/inference.h"
#include "server/languages/language_registry.h"
#include "server/request/completer.h"
#include "server/request/deadline.h"

namespace tenon::server {

struct CompleterOptions {
  std::string model_path;    // a GGUF file, or a folder of Hugging Face
  std::string adapter = {};  // the folder of a PEFT adapter of the model; empty: none
  std::vector<std::filesystem::path> syntax_folders = {};  // of tree-sitter's modules
  model::PanelShelf panels = {};                           // where the model's panels are kept
  int threads = 0;                                         // 0: as many as LlamaModel takes
  // Names of model/inference/engine.h.
  std::string engine = "kernels";
  std::string device = "auto";
  std::optional<uint64_t> available_bytes = {};  // of memory; absent: not known
  Deadline::Clock now = [] { return std::chrono::steady_clock::now(); };  // of time budgets
};

// Never fails: status() and each answer's reason name the fault of the model.
[[nodiscard]] std::unique_ptr<Completer> MakeCompleter(
    CompleterOptions options, std::shared_ptr<const LanguageRegistry> languages);

}  // namespace tenon::server
