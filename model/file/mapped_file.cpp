#include "model/file/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace tenon::model {
namespace {

constexpr int64_t kNanoseconds = 1'000'000'000;

// madvise on whole pages: the first one may begin before the bytes.
void Advise(std::span<const std::byte> bytes, int advice) {
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data());
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const uintptr_t before = begin % page;
  ::madvise(reinterpret_cast<void*>(begin - before), bytes.size() + before, advice);
}

}  // namespace

tl::expected<MappedFile, ModelError> MapFile(const std::string& path, std::string_view remedy) {
  const auto failed = [&](const char* what) {
    return tl::unexpected(
        ModelError{ModelErrorCode::kFile,
                   fmt::format("{}: {}: {}; {}", path, what, std::strerror(errno), remedy)});
  };
  // Without O_NONBLOCK the opening of a pipe waits for its writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return failed("cannot be opened");
  struct stat status {};
  const bool known = ::fstat(descriptor, &status) == 0;
  if (!known || !S_ISREG(status.st_mode) || status.st_size == 0) {
    ::close(descriptor);
    if (known) errno = S_ISDIR(status.st_mode) ? EISDIR : ENODATA;
    return failed("is no file with content");
  }
  const auto size = static_cast<size_t>(status.st_size);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  const int map_error = errno;
  ::close(descriptor);
  errno = map_error;
  if (address == MAP_FAILED) return failed("cannot be mapped into memory");
  return MappedFile{
      std::shared_ptr<const void>(address, [size](void* mapped) { ::munmap(mapped, size); }),
      {static_cast<const std::byte*>(address), size},
      status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec};
}

void ForgetMappedPages(std::span<const std::byte> bytes) { Advise(bytes, MADV_DONTNEED); }

void ReadAheadOfMapping(std::span<const std::byte> bytes) {
  Advise(bytes, MADV_HUGEPAGE);  // a wish: few file systems have large pages
  Advise(bytes, MADV_WILLNEED);
}

}  // namespace tenon::model
