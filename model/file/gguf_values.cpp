#include "model/file/gguf_values.h"

#include <fmt/format.h>

#include <limits>

namespace tenon::model {
namespace {

// Of an array; the largest vocabularies have some 300,000 tokens.
constexpr uint64_t kMaxElements = uint64_t{1} << 24;

// The types of metadata values, as the file numbers them.
enum class Wire : uint32_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kBool,
  kString,
  kArray,
  kU64,
  kI64,
  kF64
};
constexpr uint32_t kWireCount = 13;

// The bytes of one value; of a text or an array the fewest that it can have.
uint64_t WireBytes(Wire wire) {
  constexpr uint64_t kBytes[kWireCount] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};
  return kBytes[static_cast<uint32_t>(wire)];
}

int64_t ReadInteger(ByteCursor& in, Wire wire) {
  switch (wire) {
    case Wire::kU8:
      return in.Read<uint8_t>("a value");
    case Wire::kI8:
      return in.Read<int8_t>("a value");
    case Wire::kU16:
      return in.Read<uint16_t>("a value");
    case Wire::kI16:
      return in.Read<int16_t>("a value");
    case Wire::kU32:
      return in.Read<uint32_t>("a value");
    case Wire::kI32:
      return in.Read<int32_t>("a value");
    case Wire::kBool:
      return in.Read<uint8_t>("a value") != 0;
    case Wire::kI64:
      return in.Read<int64_t>("a value");
    default:
      break;
  }
  const uint64_t start = in.offset();
  const auto value = in.Read<uint64_t>("a value");
  if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    in.Fail(start, fmt::format("the number {} is too large", value));
    return 0;
  }
  return static_cast<int64_t>(value);
}

double ReadReal(ByteCursor& in, Wire wire) {
  return wire == Wire::kF32 ? static_cast<double>(in.Read<float>("a value"))
                            : in.Read<double>("a value");
}

std::optional<Wire> ReadWire(ByteCursor& in) {
  const uint64_t start = in.offset();
  const auto number = in.Read<uint32_t>("a value's type");
  if (number >= kWireCount) {
    in.Fail(start, fmt::format("{} is no type of a metadata value", number));
    return std::nullopt;
  }
  return in.ok() ? std::optional(static_cast<Wire>(number)) : std::nullopt;
}

GgufValue ReadArray(ByteCursor& in) {
  const uint64_t start = in.offset();
  const std::optional<Wire> wire = ReadWire(in);
  const auto count = in.Read<uint64_t>("an array's length");
  if (!wire || !in.ok()) return int64_t{0};
  if (*wire == Wire::kArray) {
    in.Fail(start, "an array of arrays, which tenon does not read", ModelErrorCode::kUnsupported);
    return int64_t{0};
  }
  if (count > in.left() / WireBytes(*wire)) {
    in.Fail(start, fmt::format("an array claims {} elements, {} bytes are left", count, in.left()));
    return int64_t{0};
  }
  if (count > kMaxElements) {
    in.Fail(start,
            fmt::format("an array of {} elements; tenon reads up to {}", count, kMaxElements),
            ModelErrorCode::kUnsupported);
    return int64_t{0};
  }
  if (*wire == Wire::kString) {
    std::vector<std::string_view> strings;
    strings.reserve(count);
    for (uint64_t i = 0; i < count && in.ok(); ++i)
      strings.push_back(in.ReadString("a string of an array"));
    return strings;
  }
  if (*wire == Wire::kF32 || *wire == Wire::kF64) {
    std::vector<double> reals(count);
    for (double& real : reals) real = ReadReal(in, *wire);
    return reals;
  }
  std::vector<int64_t> integers(count);
  for (int64_t& integer : integers) integer = ReadInteger(in, *wire);
  return integers;
}

}  // namespace

GgufValue ReadGgufValue(ByteCursor& in) {
  const std::optional<Wire> wire = ReadWire(in);
  if (!wire) return int64_t{0};
  switch (*wire) {
    case Wire::kString:
      return in.ReadString("a string");
    case Wire::kArray:
      return ReadArray(in);
    case Wire::kF32:
    case Wire::kF64:
      return ReadReal(in, *wire);
    case Wire::kBool:
      return ReadInteger(in, *wire) != 0;
    default:
      return ReadInteger(in, *wire);
  }
}

}  // namespace tenon::model
