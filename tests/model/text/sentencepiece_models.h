// Small sentencepiece vocabularies for tests, and the folder of the golden ones.
//
// Thread rule: pure functions.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "model/text/sentencepiece_model.h"
#include "tests/source_path.h"

namespace tenon::model {

// <unk>, <s>, </s> and the 256 bytes: ids 0 to 258. Then `pieces`, the earlier the better.
inline SentencepieceModel TinySentencepiece(const std::vector<std::string>& pieces) {
  SentencepieceModel model;
  model.algorithm = SentencepieceModel::Algorithm::kBpe;
  model.byte_fallback = true;
  model.remove_extra_whitespaces = false;
  model.pieces = {{"<unk>", 0, TokenKind::kUnknown},
                  {"<s>", 0, TokenKind::kControl},
                  {"</s>", 0, TokenKind::kControl}};
  for (int byte = 0; byte < 256; ++byte)
    model.pieces.push_back({fmt::format("<0x{:02X}>", byte), 0, TokenKind::kByte});
  float score = 0;
  for (const std::string& piece : pieces) model.pieces.push_back({piece, score -= 1});
  return model;
}

inline std::string GoldenSentencepiecePath(const std::string& file) {
  return SourcePath("tests/model/golden/sentencepiece/") + file;
}

inline std::string ReadGoldenSentencepiece(const std::string& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(GoldenSentencepiecePath(file), std::ios::binary).rdbuf();
  return bytes.str();
}

}  // namespace tenon::model
