#include "model/text/sentencepiece_model.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace tenon::model {
namespace {

// How a field's value is laid out, in the lowest three bits of its tag.
enum class Wire : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct Field {
  uint64_t number = 0;
  Wire wire = Wire::kVarint;
  uint64_t value = 0;      // of kVarint, kFixed64 and kFixed32
  std::string_view bytes;  // of kBytes
};

// The fields of a message, one after another. Next says false at the end and where the message is
// broken; broken() tells which.
class Fields {
 public:
  explicit Fields(std::string_view message) : rest_(message) {}
  bool broken() const { return broken_; }

  bool Next(Field& field) {
    if (rest_.empty() || broken_) return false;
    broken_ = !Read(field);
    return !broken_;
  }

 private:
  bool Read(Field& field) {
    uint64_t tag = 0;
    if (!Varint(tag)) return false;
    field.number = tag >> 3;
    field.wire = static_cast<Wire>(tag & 7);
    if (field.number == 0) return false;
    switch (field.wire) {
      case Wire::kVarint:
        return Varint(field.value);
      case Wire::kFixed64:
        return Fixed(8, field.value);
      case Wire::kFixed32:
        return Fixed(4, field.value);
      case Wire::kBytes: {
        uint64_t size = 0;
        if (!Varint(size) || size > rest_.size()) return false;
        field.bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return true;
      }
    }
    return false;  // groups, which no sentencepiece model has
  }
  bool Varint(uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  bool Fixed(size_t bytes, uint64_t& value) {
    if (rest_.size() < bytes) return false;
    value = 0;
    for (size_t at = 0; at < bytes; ++at)
      value |= static_cast<uint64_t>(static_cast<uint8_t>(rest_[at])) << 8 * at;
    rest_.remove_prefix(bytes);
    return true;
  }

  std::string_view rest_;
  bool broken_ = false;
};

// Numbers of fields, by message.
namespace model_field {
constexpr uint64_t kPieces = 1, kTrainer = 2, kNormalizer = 3;
}
namespace piece_field {
constexpr uint64_t kName = 1, kScore = 2, kKind = 3;
}
namespace trainer_field {
constexpr uint64_t kAlgorithm = 3, kWhitespaceAsSuffix = 24, kByteFallback = 35, kBosName = 46,
                   kEosName = 47;
}
namespace normalizer_field {
constexpr uint64_t kCharsmap = 2, kAddDummyPrefix = 3, kRemoveExtraWhitespaces = 4,
                   kEscapeWhitespaces = 5;
}

bool ReadPiece(std::string_view message, SentencepieceModel::Piece& piece) {
  Fields fields(message);
  for (Field field; fields.Next(field);) {
    if (field.number == piece_field::kName && field.wire == Wire::kBytes) {
      piece.name = field.bytes;
    } else if (field.number == piece_field::kScore && field.wire == Wire::kFixed32) {
      piece.score = std::bit_cast<float>(static_cast<uint32_t>(field.value));
    } else if (field.number == piece_field::kKind && field.wire == Wire::kVarint) {
      if (field.value < 1 || field.value > 6) return false;
      piece.kind = static_cast<TokenKind>(field.value);
    }
  }
  return !fields.broken();
}

bool ReadTrainer(std::string_view message, SentencepieceModel& model) {
  Fields fields(message);
  for (Field field; fields.Next(field);) {
    if (field.wire == Wire::kVarint) {
      if (field.number == trainer_field::kAlgorithm) {
        if (field.value < 1 || field.value > 4) return false;
        model.algorithm = static_cast<SentencepieceModel::Algorithm>(field.value);
      }
      if (field.number == trainer_field::kByteFallback) model.byte_fallback = field.value != 0;
      if (field.number == trainer_field::kWhitespaceAsSuffix)
        model.whitespace_as_suffix = field.value != 0;
    } else if (field.wire == Wire::kBytes) {
      if (field.number == trainer_field::kBosName) model.bos_name = field.bytes;
      if (field.number == trainer_field::kEosName) model.eos_name = field.bytes;
    }
  }
  return !fields.broken();
}

bool ReadNormalizer(std::string_view message, SentencepieceModel& model) {
  Fields fields(message);
  for (Field field; fields.Next(field);) {
    if (field.wire == Wire::kBytes && field.number == normalizer_field::kCharsmap)
      model.charsmap = field.bytes;
    if (field.wire != Wire::kVarint) continue;
    const bool on = field.value != 0;
    if (field.number == normalizer_field::kAddDummyPrefix) model.add_dummy_prefix = on;
    if (field.number == normalizer_field::kRemoveExtraWhitespaces)
      model.remove_extra_whitespaces = on;
    if (field.number == normalizer_field::kEscapeWhitespaces) model.escape_whitespaces = on;
  }
  return !fields.broken();
}

class Message {
 public:
  void Varint(uint64_t number, uint64_t value) {
    Tag(number, Wire::kVarint);
    Put(value);
  }
  void Float(uint64_t number, float value) {
    Tag(number, Wire::kFixed32);
    const auto bits = std::bit_cast<uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) text_.push_back(static_cast<char>(bits >> shift));
  }
  void Bytes(uint64_t number, std::string_view bytes) {
    Tag(number, Wire::kBytes);
    Put(bytes.size());
    text_ += bytes;
  }
  const std::string& text() const { return text_; }
  std::string Take() && { return std::move(text_); }

 private:
  void Tag(uint64_t number, Wire wire) { Put(number << 3 | static_cast<uint64_t>(wire)); }
  void Put(uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_.push_back(static_cast<char>(value | 0x80));
    text_.push_back(static_cast<char>(value));
  }

  std::string text_;
};

}  // namespace

tl::expected<SentencepieceModel, std::string> ParseSentencepieceModel(std::string_view bytes) {
  SentencepieceModel model;
  Fields fields(bytes);
  for (Field field; fields.Next(field);) {
    if (field.wire != Wire::kBytes) continue;
    if (field.number == model_field::kPieces) {
      if (!ReadPiece(field.bytes, model.pieces.emplace_back()))
        return tl::unexpected(fmt::format("token {} is broken", model.pieces.size() - 1));
    } else if (field.number == model_field::kTrainer) {
      if (!ReadTrainer(field.bytes, model))
        return tl::unexpected(std::string("trainer_spec is broken"));
    } else if (field.number == model_field::kNormalizer) {
      if (!ReadNormalizer(field.bytes, model))
        return tl::unexpected(std::string("normalizer_spec is broken"));
    }
  }
  if (fields.broken()) {
    return tl::unexpected(
        fmt::format("no sentencepiece model, or cut off after {} tokens", model.pieces.size()));
  }
  return model;
}

std::string Serialize(const SentencepieceModel& model) {
  Message whole;
  for (const SentencepieceModel::Piece& piece : model.pieces) {
    Message part;
    part.Bytes(piece_field::kName, piece.name);
    part.Float(piece_field::kScore, piece.score);
    part.Varint(piece_field::kKind, static_cast<uint64_t>(piece.kind));
    whole.Bytes(model_field::kPieces, part.text());
  }
  Message trainer;
  trainer.Varint(trainer_field::kAlgorithm, static_cast<uint64_t>(model.algorithm));
  trainer.Varint(trainer_field::kWhitespaceAsSuffix, model.whitespace_as_suffix);
  trainer.Varint(trainer_field::kByteFallback, model.byte_fallback);
  trainer.Bytes(trainer_field::kBosName, model.bos_name);
  trainer.Bytes(trainer_field::kEosName, model.eos_name);
  whole.Bytes(model_field::kTrainer, trainer.text());
  Message normalizer;
  normalizer.Bytes(normalizer_field::kCharsmap, model.charsmap);
  normalizer.Varint(normalizer_field::kAddDummyPrefix, model.add_dummy_prefix);
  normalizer.Varint(normalizer_field::kRemoveExtraWhitespaces, model.remove_extra_whitespaces);
  normalizer.Varint(normalizer_field::kEscapeWhitespaces, model.escape_whitespaces);
  whole.Bytes(model_field::kNormalizer, normalizer.text());
  return std::move(whole).Take();
}

std::optional<uint8_t> NamedByte(std::string_view name) {
  if (name.size() != 6 || !name.starts_with("<0x") || name[5] != '>') return std::nullopt;
  uint8_t byte = 0;
  for (const char digit : name.substr(3, 2)) {
    const bool decimal = digit >= '0' && digit <= '9';
    if (!decimal && (digit < 'A' || digit > 'F')) return std::nullopt;
    byte = static_cast<uint8_t>(byte << 4 | (decimal ? digit - '0' : digit - 'A' + 10));
  }
  return byte;
}

std::string BytesOf(const SentencepieceModel::Piece& piece) {
  if (piece.kind == TokenKind::kByte)
    return std::string(1, static_cast<char>(NamedByte(piece.name).value_or(0)));
  if (piece.kind != TokenKind::kNormal && piece.kind != TokenKind::kUserDefined) return {};
  std::string bytes;
  for (std::string_view rest = piece.name; !rest.empty();) {
    const bool space = rest.starts_with(kSpaceMark);
    bytes += space ? ' ' : rest.front();
    rest.remove_prefix(space ? kSpaceMark.size() : 1);
  }
  return bytes;
}

}  // namespace tenon::model
