#include <utility>  // before Boost.Asio's awaitable.hpp, which needs it

#include "tests/server/remote/test_server.h"

#include <algorithm>
#include <charconv>
#include <list>
#include <stdexcept>
#include <thread>

#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace tenon::server {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

std::string PemOf(const std::function<void(BIO*)>& write) {
  BIO* bio = BIO_new(BIO_s_mem());
  write(bio);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  std::string pem(data, static_cast<size_t>(size));
  BIO_free(bio);
  return pem;
}

void AddExtension(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  if (extension == nullptr) throw std::runtime_error("no such extension: " + value);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

// The size that a head's Content-Length tells; 0: none.
size_t BodyBytes(std::string head) {
  std::transform(head.begin(), head.end(), head.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  const std::string name = "content-length:";
  const size_t at = head.find(name);
  if (at == std::string::npos) return 0;
  const char* begin = head.data() + head.find_first_not_of(' ', at + name.size());
  size_t size = 0;
  std::from_chars(begin, head.data() + head.size(), size);
  return size;
}

template <typename Stream>
class Connection final : public TestConnection {
 public:
  Connection(Stream& stream, tcp::socket& socket) : stream_(stream), socket_(socket) {}

  bool ReadRequest() {
    std::string bytes;
    for (;;) {
      const size_t end = bytes.find("\r\n\r\n");
      if (end != std::string::npos && bytes.size() >= end + 4 + BodyBytes(bytes.substr(0, end))) {
        head = bytes.substr(0, end);
        body = bytes.substr(end + 4);
        return true;
      }
      char more[4096];
      error_code error;
      const size_t got = stream_.read_some(asio::buffer(more), error);
      if (error) return false;
      bytes.append(more, got);
    }
  }
  bool Send(std::string_view bytes) override {
    error_code error;
    asio::write(stream_, asio::buffer(bytes.data(), bytes.size()), error);
    return !error;
  }
  void WaitForClose() override {
    char more[64];
    error_code error;
    while (!error) stream_.read_some(asio::buffer(more), error);
  }

 private:
  Stream& stream_;
  tcp::socket& socket_;
};

}  // namespace

bool TestConnection::SendHead(std::string_view status, std::string_view more_headers) {
  return Send("HTTP/1.1 " + std::string(status) + (keeps ? "\r\n" : "\r\nConnection: close\r\n") +
              std::string(more_headers) + "\r\n");
}

bool TestConnection::SendEvent(std::string_view json) {
  return Send("data: " + std::string(json) + "\n\n");
}

TestCertificate TestCertificate::For(const std::string& names) {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME* name = X509_get_subject_name(certificate);
  const auto* text = reinterpret_cast<const unsigned char*>("tenon's test");
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  AddExtension(certificate, NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(certificate, NID_subject_alt_name, names);
  X509_sign(certificate, key, EVP_sha256());
  TestCertificate made;
  made.certificate_pem = PemOf([&](BIO* bio) { PEM_write_bio_X509(bio, certificate); });
  made.key_pem = PemOf(
      [&](BIO* bio) { PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr); });
  X509_free(certificate);
  EVP_PKEY_free(key);
  return made;
}

struct TestServer::Parts {
  Serve serve;
  asio::io_context io;
  tcp::acceptor acceptor{io, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  std::optional<asio::ssl::context> tls;
  mutable std::mutex mutex;
  std::vector<std::string> heads, bodies, names;  // guarded by mutex, as the next two
  std::list<tcp::socket> sockets;
  bool ended = false;
  std::vector<std::thread> threads;  // of the acceptor's thread
  std::thread accepting;

  template <typename Stream>
  void ServeOn(Stream& stream, tcp::socket& socket) {
    Connection<Stream> connection(stream, socket);
    do {
      connection.keeps = false;
      if (!connection.ReadRequest()) return;
      {
        const std::lock_guard lock(mutex);
        heads.push_back(connection.head);
        bodies.push_back(connection.body);
      }
      serve(connection);
    } while (connection.keeps);
  }

  void Run(tcp::socket& socket) {
    error_code ignored;
    if (tls) {
      asio::ssl::stream<tcp::socket&> stream(socket, *tls);
      stream.handshake(asio::ssl::stream_base::server, ignored);
      {
        const char* name = SSL_get_servername(stream.native_handle(), TLSEXT_NAMETYPE_host_name);
        const std::lock_guard lock(mutex);
        names.emplace_back(name == nullptr ? "" : name);
      }
      if (!ignored) ServeOn(stream, socket);
    } else {
      ServeOn(socket, socket);
    }
    socket.shutdown(tcp::socket::shutdown_both, ignored);
  }

  void Accept() {
    for (;;) {
      tcp::socket socket(io);
      error_code error;
      acceptor.accept(socket, error);
      if (error) return;
      const std::lock_guard lock(mutex);
      if (ended) return;
      sockets.push_back(std::move(socket));
      threads.emplace_back([this, &accepted = sockets.back()] { Run(accepted); });
    }
  }
};

TestServer::TestServer(Serve serve, std::optional<TestCertificate> certificate)
    : parts_(std::make_unique<Parts>()) {
  parts_->serve = std::move(serve);
  if (certificate) {
    parts_->tls.emplace(asio::ssl::context::tls_server);
    parts_->tls->use_certificate_chain(asio::buffer(certificate->certificate_pem));
    parts_->tls->use_private_key(asio::buffer(certificate->key_pem), asio::ssl::context::pem);
  }
  parts_->accepting = std::thread([parts = parts_.get()] { parts->Accept(); });
}

TestServer::~TestServer() {
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->ended = true;
    for (tcp::socket& socket : parts_->sockets) ::shutdown(socket.native_handle(), SHUT_RDWR);
  }
  ::shutdown(parts_->acceptor.native_handle(), SHUT_RDWR);
  parts_->accepting.join();
  for (std::thread& thread : parts_->threads) thread.join();
}

uint16_t TestServer::port() const { return parts_->acceptor.local_endpoint().port(); }

std::string TestServer::url() const {
  return (parts_->tls ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(port());
}

std::vector<std::string> TestServer::heads() const {
  const std::lock_guard lock(parts_->mutex);
  return parts_->heads;
}

std::vector<std::string> TestServer::bodies() const {
  const std::lock_guard lock(parts_->mutex);
  return parts_->bodies;
}

std::vector<std::string> TestServer::names() const {
  const std::lock_guard lock(parts_->mutex);
  return parts_->names;
}

size_t TestServer::connections() const {
  const std::lock_guard lock(parts_->mutex);
  return parts_->sockets.size();
}

}  // namespace tenon::server
