#include "constraint/cache/cache_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

namespace tenon::constraint {

namespace {

constexpr uint32_t kFormatVersion = 1;
constexpr std::string_view kLanguageSuffix = ".language", kStoreSuffix = ".masks", kNew = ".new-";

struct Header {
  char magic[8] = {'t', 'e', 'n', 'o', 'n', '\0', '\r', '\n'};
  uint32_t version = kFormatVersion;
  uint32_t kind = 0;
  uint64_t build[2] = {kBuildId.low, kBuildId.high};
  uint64_t grammar[2] = {0, 0};
  uint64_t vocabulary = 0;
  uint64_t payload_bytes = 0;
  uint64_t checksum[2] = {0, 0};
};
static_assert(sizeof(Header) == kCacheHeaderBytes);

Header HeaderOf(const CacheKey& key, std::string_view payload) {
  Header header;
  header.kind = static_cast<uint32_t>(key.kind);
  header.grammar[0] = key.grammar.low;
  header.grammar[1] = key.grammar.high;
  header.vocabulary = key.vocabulary;
  header.payload_bytes = payload.size();
  const XXH128_hash_t hash = XXH3_128bits(payload.data(), payload.size());
  header.checksum[0] = hash.low64;
  header.checksum[1] = hash.high64;
  return header;
}

// An open file, closed at the end. The modules share no code: server/ has a class of its own.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = EIO;  // it has no error of its own
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

bool ReadAll(int file, char* to, size_t size) {
  while (size > 0) {
    const ssize_t got = read(file, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

// Why this build did not write a file that begins like that; null: it did.
const char* WhyOfAnother(const Header& found) {
  const Header own;
  if (std::memcmp(found.magic, own.magic, sizeof found.magic) != 0) return "is no cache of tenon";
  if (found.version != own.version) return "has another format";
  if (std::memcmp(found.build, own.build, sizeof found.build) != 0)
    return "was written by another build";
  return nullptr;
}

// The field of a file's header that is wrong; null: all is well. The payload is not yet
// looked at.
const char* WhyForeign(const Header& found, const Header& wanted) {
  if (const char* why = WhyOfAnother(found)) return why;
  if (found.kind != wanted.kind ||
      std::memcmp(found.grammar, wanted.grammar, sizeof found.grammar) != 0)
    return "belongs to another grammar";
  if (found.vocabulary != wanted.vocabulary) return "belongs to another vocabulary";
  if (found.payload_bytes != wanted.payload_bytes) return "is cut short, or has grown";
  return nullptr;
}

}  // namespace

std::string CacheKey::FileName() const {
  const std::string name = fmt::format("{:016x}{:016x}", grammar.high, grammar.low);
  return kind == CacheKind::kLanguage ? fmt::format("{}{}", name, kLanguageSuffix)
                                      : fmt::format("{}-{:016x}{}", name, vocabulary, kStoreSuffix);
}

CacheName CacheNameOf(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const auto whole = [](std::string_view text) {
    return text.ends_with(kLanguageSuffix) || text.ends_with(kStoreSuffix);
  };
  if (whole(name)) return CacheName::kWhole;
  const size_t at = name.rfind(kNew);
  return at != std::string::npos && whole(std::string_view(name).substr(0, at))
             ? CacheName::kUnfinished
             : CacheName::kOther;
}

bool IsOfThisBuild(const std::filesystem::path& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  Header found;
  if (file.number() < 0 || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  return ReadAll(file.number(), reinterpret_cast<char*>(&found), sizeof found) &&
         WhyOfAnother(found) == nullptr &&
         static_cast<uint64_t>(status.st_size) == sizeof found + found.payload_bytes;
}

tl::expected<CachePayload, std::string> ReadCacheFile(const std::filesystem::path& path,
                                                      const CacheKey& key) {
  const auto refuse = [](const char* why) { return tl::unexpected(std::string(why)); };
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0)
    return refuse(errno == ENOENT || errno == ENOTDIR ? "" : std::strerror(errno));
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return refuse("is no file");
  const size_t size = static_cast<size_t>(status.st_size);
  if (size < kCacheHeaderBytes) return refuse("is cut short");
  if (size > kMaxCacheFileBytes) return refuse("is too long");
  std::unique_ptr<char[]> bytes(new char[size]);  // all of it is read into: nothing to fill before
  if (!ReadAll(file.number(), bytes.get(), size)) return refuse("cannot be read to its end");
  CachePayload payload(std::move(bytes), size);
  Header found;
  std::memcpy(&found, payload.bytes().data() - kCacheHeaderBytes, sizeof found);
  const Header wanted = HeaderOf(key, payload.bytes());
  if (const char* why = WhyForeign(found, wanted)) return refuse(why);
  if (std::memcmp(found.checksum, wanted.checksum, sizeof found.checksum) != 0)
    return refuse("is damaged");
  return payload;
}

tl::expected<size_t, std::string> WriteCacheFile(const std::filesystem::path& path,
                                                 const CacheKey& key, std::string_view payload) {
  const auto refuse = [&](int error) {
    return tl::unexpected(fmt::format("{}: {}", path.string(), std::strerror(error)));
  };
  if (payload.size() + kCacheHeaderBytes > kMaxCacheFileBytes) return refuse(EFBIG);
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) return refuse(error.value());
  std::string temporary = fmt::format("{}{}XXXXXX", path.string(), kNew);
  const Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (file.number() < 0) return refuse(errno);
  const Header header = HeaderOf(key, payload);
  const bool written =
      WriteAll(file.number(), {reinterpret_cast<const char*>(&header), sizeof header}) &&
      WriteAll(file.number(), payload);
  if (written && rename(temporary.c_str(), path.c_str()) == 0)
    return sizeof header + payload.size();
  const int why = errno;
  unlink(temporary.c_str());
  return refuse(why);
}

}  // namespace tenon::constraint
