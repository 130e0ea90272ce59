#include "server/models/file_hash.h"

#include <array>
#include <fstream>
#include <memory>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <openssl/evp.h>

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

// As much is read between two looks at the stop token.
constexpr size_t kBlockBytes = size_t{1} << 20;
// An unhurried hash rests as long as it would take to read so many blocks.
constexpr int kRests = 9;

using Digest = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

std::string Hexadecimal(const unsigned char* bytes, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += fmt::format("{:02x}", bytes[i]);
  return text;
}

}  // namespace

HashProgress Unhurried(std::function<std::chrono::nanoseconds()> now,
                       std::function<void(std::chrono::nanoseconds)> rest) {
  // Captures are made in this order: the clock is read before it moves.
  return [began = now(), now = std::move(now), rest = std::move(rest)](uint64_t) mutable {
    rest(kRests * (now() - began));
    began = now();
  };
}

tl::expected<std::string, std::string> Sha256OfFile(const fs::path& path,
                                                    const std::stop_token& stop,
                                                    const HashProgress& on_progress) {
  const auto fault = [&path](std::string_view what) {
    return tl::unexpected(fmt::format("{}: {}", path.string(), what));
  };
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return fault("is no file; name one");
  std::ifstream in(path, std::ios::binary);
  if (!in) return fault("cannot be opened; check its rights");
  const Digest digest(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  if (digest == nullptr || EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr) != 1)
    return fault("cannot be hashed: libcrypto offers no SHA-256");
  std::vector<char> block(kBlockBytes);
  uint64_t done_bytes = 0;
  while (in) {
    if (stop.stop_requested()) return fault("was not hashed to its end");
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto count = static_cast<size_t>(in.gcount());
    if (EVP_DigestUpdate(digest.get(), block.data(), count) != 1) return fault("cannot be hashed");
    done_bytes += count;
    if (on_progress) on_progress(done_bytes);
  }
  if (!in.eof()) return fault("cannot be read to its end; check the disk");
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned int hash_bytes = 0;
  if (EVP_DigestFinal_ex(digest.get(), hash.data(), &hash_bytes) != 1)
    return fault("cannot be hashed");
  return Hexadecimal(hash.data(), hash_bytes);
}

}  // namespace tenon::server
