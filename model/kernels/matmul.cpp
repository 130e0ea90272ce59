#include "model/kernels/matmul.h"

#include <omp.h>

#include <dnnl.hpp>
#include <map>
#include <tuple>

namespace tenon::model {
namespace {

using Dims = dnnl::memory::dims;
using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

Type TypeOf(Operand operand) { return operand == Operand::kBFloat16 ? Type::bf16 : Type::f32; }

dnnl::inner_product_forward::primitive_desc DescribeLinear(const dnnl::engine& engine,
                                                           Operand operand, int m, int rows,
                                                           int columns,
                                                           const dnnl::memory::desc& weights) {
  const dnnl::memory::desc x(Dims{m, columns}, TypeOf(operand), Tag::ab);
  const dnnl::memory::desc y(Dims{m, rows}, Type::f32, Tag::ab);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return {dnnl::inner_product_forward::desc(dnnl::prop_kind::forward_inference, x, weights, y),
          attributes, engine};
}

// Weights are packed in the layout that oneDNN prefers for X of so many rows. Its products of a
// single row use the same layout.
constexpr int kRowsToPackFor = 64;

}  // namespace

struct PackedWeights::Shards {
  std::vector<dnnl::memory> memories;
};

struct Product {
  dnnl::primitive primitive;
  dnnl::memory::desc left;
  dnnl::memory::desc right;
  dnnl::memory::desc out;
  dnnl::memory::desc scratch;
};

struct MatmulRunner::State {
  enum class Kind { kLinear, kScores, kWeighted };
  using Shape = std::tuple<Kind, int, int, int>;

  Operand operand;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  // One entry a slot.
  std::vector<dnnl::stream> streams;
  std::vector<std::vector<std::byte>> scratch;
  std::map<Shape, Product> products;

  void Run(const Product& product, int slot, const void* left, const dnnl::memory& right,
           float* out) {
    std::vector<std::byte>& room = scratch[slot];
    if (room.size() < product.scratch.get_size() + kScratchAlignment) {
      room.resize(product.scratch.get_size() + kScratchAlignment);
    }
    void* aligned = room.data();
    size_t space = room.size();
    std::align(kScratchAlignment, product.scratch.get_size(), aligned, space);
    product.primitive.execute(streams[slot],
                              {{DNNL_ARG_SRC, {product.left, engine, const_cast<void*>(left)}},
                               {DNNL_ARG_WEIGHTS, right},
                               {DNNL_ARG_DST, {product.out, engine, out}},
                               {DNNL_ARG_SCRATCHPAD, {product.scratch, engine, aligned}}});
  }

  const Product* PrepareMatmul(const Shape& shape, const dnnl::memory::desc& left,
                               const dnnl::memory::desc& right, const dnnl::memory::desc& out) {
    const auto found = products.find(shape);
    if (found != products.end()) return &found->second;
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dnnl::matmul::primitive_desc description(dnnl::matmul::desc(left, right, out), attributes,
                                                   engine);
    return &products
                .emplace(shape, Product{dnnl::matmul(description), left, right, out,
                                        description.scratchpad_desc()})
                .first->second;
  }

  static constexpr size_t kScratchAlignment = 64;
};

bool HasFastBFloat16() {
  const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
  return isa == dnnl::cpu_isa::avx512_core_bf16 || isa == dnnl::cpu_isa::avx512_core_amx;
}

void KeepOpenMpInThisThread() { omp_set_num_threads(1); }

PackedWeights::PackedWeights(int columns, std::vector<int> shard_rows, Operand operand,
                             const std::function<void(int row, float* out)>& fill_row)
    : columns_(columns), shard_rows_(std::move(shard_rows)), packed_(std::make_unique<Shards>()) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  std::vector<float> plain;
  int row = 0;
  for (const int rows : shard_rows_) {
    plain.resize(static_cast<size_t>(rows) * columns);
    for (int i = 0; i < rows; ++i) fill_row(row++, plain.data() + static_cast<size_t>(i) * columns);
    const auto layout =
        DescribeLinear(engine, operand, kRowsToPackFor, rows, columns,
                       dnnl::memory::desc(Dims{rows, columns}, TypeOf(operand), Tag::any));
    dnnl::memory source({Dims{rows, columns}, Type::f32, Tag::ab}, engine, plain.data());
    dnnl::memory packed(layout.weights_desc(), engine);
    dnnl::reorder(source, packed).execute(stream, source, packed);
    stream.wait();
    packed_->memories.push_back(std::move(packed));
  }
}

PackedWeights::~PackedWeights() = default;
PackedWeights::PackedWeights(PackedWeights&&) noexcept = default;
PackedWeights& PackedWeights::operator=(PackedWeights&&) noexcept = default;

MatmulRunner::MatmulRunner(int slots, Operand operand) : state_(std::make_unique<State>()) {
  state_->operand = operand;
  for (int i = 0; i < slots; ++i) state_->streams.emplace_back(state_->engine);
  state_->scratch.resize(slots);
}

MatmulRunner::~MatmulRunner() = default;

const Product* MatmulRunner::PrepareLinear(const PackedWeights& weights, int shard, int m) {
  const State::Shape shape{State::Kind::kLinear, m, weights.shard_rows(shard), weights.columns()};
  const auto found = state_->products.find(shape);
  if (found != state_->products.end()) return &found->second;
  const auto description =
      DescribeLinear(state_->engine, state_->operand, m, weights.shard_rows(shard),
                     weights.columns(), weights.packed_->memories[shard].get_desc());
  return &state_->products
              .emplace(shape, Product{dnnl::inner_product_forward(description),
                                      description.src_desc(), description.weights_desc(),
                                      description.dst_desc(), description.scratchpad_desc()})
              .first->second;
}

const Product* MatmulRunner::PrepareScores(int queries, int keys, int depth) {
  const Type type = TypeOf(state_->operand);
  return state_->PrepareMatmul(
      {State::Kind::kScores, queries, keys, depth}, {Dims{queries, depth}, type, Tag::ab},
      {Dims{depth, keys}, type, Tag::ba}, {Dims{queries, keys}, Type::f32, Tag::ab});
}

const Product* MatmulRunner::PrepareWeighted(int queries, int keys, int depth) {
  const Type type = TypeOf(state_->operand);
  return state_->PrepareMatmul(
      {State::Kind::kWeighted, queries, keys, depth}, {Dims{queries, keys}, type, Tag::ab},
      {Dims{keys, depth}, type, Tag::ab}, {Dims{queries, depth}, Type::f32, Tag::ab});
}

void MatmulRunner::Linear(const Product* product, int slot, const void* x,
                          const PackedWeights& weights, int shard, float* y) {
  state_->Run(*product, slot, x, weights.packed_->memories[shard], y);
}

void MatmulRunner::Multiply(const Product* product, int slot, const void* left, const void* right,
                            float* out) {
  state_->Run(*product, slot, left,
              dnnl::memory(product->right, state_->engine, const_cast<void*>(right)), out);
}

}  // namespace tenon::model
