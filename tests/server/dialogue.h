// Golden dialogues: what a client says and what the server must answer, in a text file
// (tests/server/dialogues/README.md).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tenon::server {

struct DialogueBlock {
  enum class Kind { kClient, kClientRaw, kServer, kModelReady, kModelFails, kInputEnds, kExit };
  Kind kind;
  std::string body;  // of a client or server; the status of an exit
};

struct Dialogue {
  std::filesystem::path path;
  std::string prose;  // up to the first ---
  bool with_binary = false;
  std::vector<DialogueBlock> blocks;
};

std::vector<std::filesystem::path> AllDialogues();
// Throws std::runtime_error with the file and the block where the file is ill-formed.
Dialogue ReadDialogue(const std::filesystem::path& path);

// Plays one block that is not the server's and returns what the server said to it.
using Play = std::function<std::vector<nlohmann::json>(const DialogueBlock& block)>;
// The exit status so far, nothing while the server lives.
using ExitStatus = std::function<std::optional<int>()>;

// Plays all blocks, compares with the server's, and reports differences as test failures; with
// `update` rewrites the file.
void PlayDialogue(const Dialogue& dialogue, const Play& play, const ExitStatus& exit_status,
                  bool update);

// "\r", "\n", "\\" and "\xHH" in a raw block.
std::string Unescape(const std::string& raw);

}  // namespace tenon::server
