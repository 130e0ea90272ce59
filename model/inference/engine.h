// The code that computes a model, and the device on which it runs.
//
//   --engine kernels   tenon's own kernels (forward_pass.h): the fast ones, on the processor
//   --engine torch     libtorch's operators (torch_engine.h), on the processor or a GPU
//
// The names are those of the settings `engine` and `device`.
// Source: ours. Cost: none. Thread rule: values and pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tenon::model {

enum class Engine : uint8_t { kKernels, kTorch };

// Where the torch engine computes.
enum class Device : uint8_t {
  kAuto,  // a GPU that libtorch can use, else the processor
  kCpu,
  kCuda
};

inline constexpr std::array<std::string_view, 2> kEngineNames = {"kernels", "torch"};
inline constexpr std::array<std::string_view, 3> kDeviceNames = {"auto", "cpu", "cuda"};

constexpr std::string_view NameOf(Engine engine) {
  return kEngineNames[static_cast<size_t>(engine)];
}
constexpr std::string_view NameOf(Device device) {
  return kDeviceNames[static_cast<size_t>(device)];
}
// Nothing where no engine, or no device, has the name.
constexpr std::optional<Engine> EngineOf(std::string_view name) {
  for (size_t i = 0; i < kEngineNames.size(); ++i)
    if (kEngineNames[i] == name) return static_cast<Engine>(i);
  return std::nullopt;
}
constexpr std::optional<Device> DeviceOf(std::string_view name) {
  for (size_t i = 0; i < kDeviceNames.size(); ++i)
    if (kDeviceNames[i] == name) return static_cast<Device>(i);
  return std::nullopt;
}

}  // namespace tenon::model
