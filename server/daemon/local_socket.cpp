#include "server/daemon/local_socket.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace tenon::server {
namespace {

constexpr int kBacklog = 64;
constexpr int kKind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

std::string Fault() { return std::generic_category().message(errno); }

// New files get these permissions at most, until the object goes.
class ModeMask {
 public:
  explicit ModeMask(mode_t mask) : before_(umask(mask)) {}
  ~ModeMask() { umask(before_); }
  ModeMask(const ModeMask&) = delete;
  ModeMask& operator=(const ModeMask&) = delete;

 private:
  mode_t before_;
};

tl::expected<sockaddr_un, std::string> Address(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& text = path.native();
  if (text.size() >= sizeof address.sun_path) {
    return tl::unexpected(fmt::format("{}: too long for a socket's name; the kernel takes {} bytes",
                                      text, sizeof address.sun_path - 1));
  }
  std::memcpy(address.sun_path, text.data(), text.size());
  return address;
}

sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

template <typename SocketAddress>
int Bind(const FileDescriptor& socket, const SocketAddress& address) {
  return bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

template <typename SocketAddress>
int Connect(const FileDescriptor& socket, const SocketAddress& address) {
  return connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

}  // namespace

tl::expected<void, std::string> MakePrivateFolder(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder.parent_path(), ignored);
  if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return tl::unexpected(fmt::format("{}: cannot be made: {}", folder.string(), Fault()));
  struct stat found {};
  if (lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode))
    return tl::unexpected(fmt::format("{}: is no folder; remove it", folder.string()));
  if (found.st_uid != geteuid())
    return tl::unexpected(fmt::format("{}: belongs to another user; remove it", folder.string()));
  if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return tl::unexpected(
        fmt::format("{}: others may enter it; 'chmod 700' keeps them out", folder.string()));
  }
  return {};
}

tl::expected<FileDescriptor, std::string> ListenAtPath(const std::filesystem::path& path) {
  const auto address = Address(path);
  if (!address) return tl::unexpected(address.error());
  struct stat found {};
  if (lstat(path.c_str(), &found) == 0) {
    if (!S_ISSOCK(found.st_mode))
      return tl::unexpected(
          fmt::format("{}: is there and is no socket; name another path", path.string()));
    unlink(path.c_str());
  }
  FileDescriptor socket(::socket(AF_UNIX, kKind, 0));
  const ModeMask only_mine(S_IXUSR | S_IRWXG | S_IRWXO);
  if (!socket.open() || Bind(socket, *address) != 0 || listen(socket.number(), kBacklog) != 0)
    return tl::unexpected(fmt::format("{}: cannot listen there: {}", path.string(), Fault()));
  return socket;
}

tl::expected<FileDescriptor, std::string> ConnectToPath(const std::filesystem::path& path) {
  const auto address = Address(path);
  if (!address) return tl::unexpected(address.error());
  FileDescriptor socket(::socket(AF_UNIX, kKind, 0));
  if (!socket.open() || Connect(socket, *address) != 0)
    return tl::unexpected(fmt::format("{}: nobody listens: {}", path.string(), Fault()));
  if (!PeerIs(socket.number(), geteuid()))
    return tl::unexpected(fmt::format("{}: another user listens there", path.string()));
  return socket;
}

tl::expected<FileDescriptor, std::string> ListenOnPort(uint16_t port) {
  FileDescriptor socket(::socket(AF_INET, kKind, 0));
  const int yes = 1;
  if (socket.open()) setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (!socket.open() || Bind(socket, Loopback(port)) != 0 ||
      listen(socket.number(), kBacklog) != 0) {
    return tl::unexpected(
        fmt::format("port {} of 127.0.0.1: cannot listen there: {}", port, Fault()));
  }
  return socket;
}

tl::expected<FileDescriptor, std::string> ConnectToPort(uint16_t port) {
  // On this machine connecting takes no time, so the call may wait for it.
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.open() || Connect(socket, Loopback(port)) != 0)
    return tl::unexpected(fmt::format("port {} of 127.0.0.1: nobody listens: {}", port, Fault()));
  return socket;
}

uint16_t PortOf(const FileDescriptor& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.sin_port);
}

bool PeerIs(int socket, uid_t user) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == user;
}

std::pair<FileDescriptor, FileDescriptor> SocketPair() {
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, kKind, 0, ends.data()) != 0) return {};
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

}  // namespace tenon::server
