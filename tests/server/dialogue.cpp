#include "tests/server/dialogue.h"
#include "tests/source_path.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;
using Kind = DialogueBlock::Kind;

struct KindName {
  const char* name;
  Kind kind;
};
constexpr KindName kKinds[] = {
    {"client", Kind::kClient},          {"client raw", Kind::kClientRaw},
    {"server", Kind::kServer},          {"model ready", Kind::kModelReady},
    {"model fails", Kind::kModelFails}, {"input ends", Kind::kInputEnds},
    {"exit status", Kind::kExit}};

const char* Name(Kind kind) {
  return std::find_if(std::begin(kKinds), std::end(kKinds),
                      [kind](const KindName& k) { return k.kind == kind; })
      ->name;
}

DialogueBlock ReadBlock(const std::string& text, const std::string& where) {
  const size_t line_end = std::min(text.find('\n'), text.size());
  const std::string head = text.substr(0, line_end);
  std::string body = line_end < text.size() ? text.substr(line_end + 1) : "";
  while (!body.empty() && body.back() == '\n') body.pop_back();
  for (const KindName& k : kKinds) {
    if (head == k.name) return {k.kind, body};
  }
  throw std::runtime_error(
      where + ": a block begins with client, client raw, server, ..., not with '" + head + "'");
}

std::string Written(const Dialogue& dialogue, const std::vector<DialogueBlock>& blocks) {
  std::string out = dialogue.prose;
  for (const DialogueBlock& block : blocks) {
    out += std::string("---\n") + Name(block.kind) + "\n";
    if (!block.body.empty()) out += block.body + "\n";
  }
  return out;
}

}  // namespace

std::vector<std::filesystem::path> AllDialogues() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(SourcePath("tests/server/dialogues"))) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Dialogue ReadDialogue(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  Dialogue dialogue;
  dialogue.path = path;
  std::vector<std::string> parts(1);
  for (std::string line; std::getline(in, line);) {
    if (line == "---")
      parts.emplace_back();
    else
      parts.back() += line + "\n";
  }
  dialogue.prose = parts.front();
  dialogue.with_binary =
      dialogue.prose.find("\nRuns: in process and with the binary.\n") != std::string::npos;
  if (!dialogue.with_binary && dialogue.prose.find("\nRuns: in process.\n") == std::string::npos) {
    throw std::runtime_error(
        path.string() + ": the top must say 'Runs: in process.' or '... and with the binary.'");
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    dialogue.blocks.push_back(ReadBlock(parts[i], path.string() + ", block " + std::to_string(i)));
  }
  return dialogue;
}

void PlayDialogue(const Dialogue& dialogue, const Play& play, const ExitStatus& exit_status,
                  bool update) {
  std::vector<DialogueBlock> real;
  for (const DialogueBlock& block : dialogue.blocks) {
    if (block.kind == Kind::kServer || block.kind == Kind::kExit) continue;
    real.push_back(block);
    for (const json& message : play(block)) real.push_back({Kind::kServer, message.dump()});
    if (const auto status = exit_status(); status && real.back().kind != Kind::kExit) {
      real.push_back({Kind::kExit, std::to_string(*status)});
    }
  }
  if (update) {
    std::ofstream(dialogue.path, std::ios::binary) << Written(dialogue, real);
    return;
  }
  EXPECT_EQ(Written(dialogue, dialogue.blocks), Written(dialogue, real))
      << dialogue.path << "\nrun server_test --update and look at the difference";
}

std::string Unescape(const std::string& raw) {
  std::string out;
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      out += raw[i];
    } else if (raw[++i] == 'x') {
      out += static_cast<char>(std::stoi(raw.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += raw[i] == 'r' ? '\r' : raw[i] == 'n' ? '\n' : raw[i];
    }
  }
  return out;
}

}  // namespace tenon::server
