// Continues prompts greedily and prints the largest logits, for the comparisons of tools/model
// (compare_llama_cpp, compare_logits.py).
//
//   continue_prompts MODEL auto|f32|bf16|blocks|torch < REQUESTS
//
// The first four are precisions of the kernels; torch is the engine on libtorch's operators, in
// float32 on the processor. One JSON object a line. A request has the token ids of a prompt, the
// number of tokens to append, and perhaps the ids to append in place of the likeliest ones:
//
//   {"ids": [785, 2038], "tokens": 2}                      greedy
//   {"ids": [785, 2038], "tokens": 2, "forced": [11, 12]}  the same positions of a given text
//   {"ids": [785, 2038], "tokens": 1, "logits": true}      all logits after the prompt, too
//
// The answer has the kTop largest logits before each appended token, the largest first:
//
//   {"steps": [[[11, 17.25], [13, 16.5], …], …], "logits": […]}
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/inference/inference.h"
#include "tests/token_ids.h"

namespace tenon::model {
namespace {

constexpr size_t kTop = 8;
constexpr int kMaxTokens = 2048;  // of a prompt and its continuation

struct Computation {
  std::string_view name;
  Precision precision = Precision::kAuto;
  Engine engine = Engine::kKernels;
};
constexpr Computation kComputations[] = {{"auto", Precision::kAuto},
                                         {"f32", Precision::kFloat32},
                                         {"bf16", Precision::kBFloat16},
                                         {"blocks", Precision::kBlocks},
                                         {"torch", Precision::kFloat32, Engine::kTorch}};

// The ids of the kTop largest logits; of equal logits the smaller id first.
std::vector<TokenId> TopIds(std::span<const float> logits) {
  std::vector<TokenId> ids = AllTokens(logits.size());
  const auto larger = [&](TokenId a, TokenId b) {
    const float of_a = logits[a.value], of_b = logits[b.value];
    return of_a != of_b ? of_a > of_b : a < b;
  };
  const size_t count = std::min(kTop, ids.size());
  std::partial_sort(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(count), ids.end(), larger);
  ids.resize(count);
  return ids;
}

tl::expected<nlohmann::json, ModelError> Answer(InferenceSession& session,
                                                const nlohmann::json& request) {
  const auto prompt = TokensOf(request.at("ids").get<std::vector<uint32_t>>());
  const auto forced = TokensOf(request.value("forced", std::vector<uint32_t>{}));
  const auto tokens = request.at("tokens").get<size_t>();
  nlohmann::json answer = {{"steps", nlohmann::json::array()}};
  session.Truncate(0);
  auto logits = session.Prefill(prompt, {});
  for (size_t i = 0; i < tokens; ++i) {
    if (!logits) return tl::unexpected(logits.error());
    if (i == 0 && request.value("logits", false)) answer["logits"] = *logits;
    const std::vector<TokenId> top = TopIds(*logits);
    nlohmann::json step = nlohmann::json::array();
    for (const TokenId id : top) step.push_back({id.value, (*logits)[id.value]});
    answer["steps"].push_back(step);
    if (i + 1 < tokens) logits = session.Decode(i < forced.size() ? forced[i] : top[0]);
  }
  return answer;
}

int Run(const std::string& path, const std::string& name) {
  const auto named =
      std::find_if(std::begin(kComputations), std::end(kComputations),
                   [&](const Computation& computation) { return computation.name == name; });
  if (named == std::end(kComputations)) {
    std::cerr << "continue_prompts: " << name
              << " is unknown; say auto, f32, bf16, blocks or torch\n";
    return 2;
  }
  LoadOptions options;
  options.precision = named->precision;
  options.engine = named->engine;
  options.device = Device::kCpu;
  const auto model = LlamaModel::Load(path, options);
  if (!model) {
    std::cerr << "continue_prompts: " << model.error().message << "\n";
    return 1;
  }
  const auto session = (*model)->NewSession(kMaxTokens);
  size_t number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    ++number;
    try {
      if (nlohmann::json::parse(line).at("ids").empty()) {
        std::cerr << "continue_prompts: request " << number << " has no ids\n";
        return 1;
      }
      const auto answer = Answer(*session, nlohmann::json::parse(line));
      if (!answer) {
        std::cerr << "continue_prompts: request " << number << ": " << answer.error().message
                  << "\n";
        return 1;
      }
      std::cout << answer->dump() << std::endl;
    } catch (const nlohmann::json::exception& error) {
      std::cerr << "continue_prompts: request " << number
                << " is not such an object: " << error.what() << "\n";
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace tenon::model

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: continue_prompts MODEL auto|f32|bf16|blocks|torch < REQUESTS\n";
    return 2;
  }
  return tenon::model::Run(argv[1], argv[2]);
}
