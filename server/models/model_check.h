// Is the file of a model the one that its hash names?
//
// Example: a disk flips a byte in the weights of smollm2-135m-fim. The file loads, and the model
// writes nonsense. Its SHA-256 is not that of models/registry.json: the file is damaged.
//
//   kNoHash     nobody has said what the hash should be: a file of the user's own
//   kUnchecked  the hash of the file as it is now is not known
//   kGood, kDamaged
//
// The right hash is in NAME.gguf.sha256 beside the file, where there is such a file, else in the
// registry. (tools/model/make_small_model computes the small model, and writes NAME.gguf.sha256
// where this machine's arithmetic gives other bytes.)
//
// Cost: Known reads two small files; Check reads the model's file once. Thread rule: a value; its
// functions are pure functions of the file system.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include <tl/expected.hpp>

#include "server/models/file_hash.h"
#include "server/models/known_hashes.h"
#include "server/models/model_choice.h"

namespace tenon::server {

enum class ModelVerdict : uint8_t { kNoHash, kUnchecked, kGood, kDamaged };
// "no hash is known", "unchecked", "checked", "damaged".
const char* ToString(ModelVerdict verdict);

class ModelCheck {
 public:
  // `known`: the file of known hashes; empty: nothing is kept.
  ModelCheck(const ModelChoice& choice, const std::filesystem::path& known)
      : name_(choice.name), file_(choice.path), expected_(choice.sha256), known_(known) {}

  // By the known facts, without reading the model's file.
  [[nodiscard]] ModelVerdict Known() const;
  struct Fault {
    std::string message;  // with the remedy
    bool damaged = false;
  };
  // Computes the hash, keeps it and returns it. The fault: the file is damaged; or it could not be
  // read, was stopped, or its hash could not be kept.
  [[nodiscard]] tl::expected<std::string, Fault> Check(const std::stop_token& stop = {},
                                                       const HashProgress& on_progress = {}) const;
  // The fault of a damaged file, and its remedy.
  [[nodiscard]] std::string DamageMessage() const;

 private:
  std::string name_;
  std::filesystem::path file_;
  std::string expected_;  // empty: not known
  KnownHashes known_;
};

}  // namespace tenon::server
