// Sockets that only this user reaches, and those of this machine.
//
// A socket in the file system lies in a folder that nobody but its owner may enter, has the mode
// 0600, and both ends look at the other's user id: three locks, because a socket that someone else
// put there would be told the user's code.
//
// Source: unix(7), SO_PEERCRED. Cost: a few system calls. Thread rule: any thread; the mode of new
// files is set for the whole process meanwhile, so nobody else creates any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <sys/types.h>

#include <tl/expected.hpp>

#include "server/files/file_descriptor.h"

namespace tenon::server {

// Makes the folder with the mode 0700 where it is absent. The error: it is no folder, belongs to
// another user, or others may enter it.
[[nodiscard]] tl::expected<void, std::string> MakePrivateFolder(
    const std::filesystem::path& folder);

// Listens at a path. A socket that lies there is removed. The error names the path.
[[nodiscard]] tl::expected<FileDescriptor, std::string> ListenAtPath(
    const std::filesystem::path& path);
// Connects without waiting. The error: nobody listens, or another user does.
[[nodiscard]] tl::expected<FileDescriptor, std::string> ConnectToPath(
    const std::filesystem::path& path);
// On 127.0.0.1. Port 0: one that is free.
[[nodiscard]] tl::expected<FileDescriptor, std::string> ListenOnPort(uint16_t port);
[[nodiscard]] tl::expected<FileDescriptor, std::string> ConnectToPort(uint16_t port);
// The port of a listening socket.
[[nodiscard]] uint16_t PortOf(const FileDescriptor& socket);

// Does the process at the other end of a Unix socket run under this user id?
[[nodiscard]] bool PeerIs(int socket, uid_t user);

// Two connected sockets.
[[nodiscard]] std::pair<FileDescriptor, FileDescriptor> SocketPair();

}  // namespace tenon::server
