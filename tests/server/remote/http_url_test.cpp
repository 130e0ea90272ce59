#include "server/remote/http_url.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(HttpUrl, HasHostPortAndPath) {
  const auto url = ParseHttpUrl("https://gpu.local:8443/v1/");
  ASSERT_TRUE(url) << url.error();
  EXPECT_TRUE(url->tls);
  EXPECT_EQ(url->host, "gpu.local");
  EXPECT_EQ(url->port, 8443);
  EXPECT_EQ(url->path, "/v1");
  EXPECT_EQ(url->authority(), "gpu.local:8443");
  EXPECT_EQ(url->ToString(), "https://gpu.local:8443/v1");
  EXPECT_FALSE(url->is_loopback());
}

TEST(HttpUrl, TakesThePortOfItsScheme) {
  EXPECT_EQ(ParseHttpUrl("http://a")->port, 80);
  EXPECT_EQ(ParseHttpUrl("https://a")->port, 443);
  EXPECT_EQ(ParseHttpUrl("https://a")->authority(), "a");
  EXPECT_EQ(ParseHttpUrl("http://a:443")->authority(), "a:443");
}

TEST(HttpUrl, ReadsAddressesInBrackets) {
  const auto url = ParseHttpUrl("http://[::1]:8080");
  ASSERT_TRUE(url) << url.error();
  EXPECT_EQ(url->host, "::1");
  EXPECT_EQ(url->authority(), "[::1]:8080");
  EXPECT_TRUE(url->is_loopback());
}

TEST(HttpUrl, TellsThisMachineByItsAddress) {
  for (const char* host : {"localhost", "127.0.0.1", "127.1.2.3", "[::1]"})
    EXPECT_TRUE(ParseHttpUrl(std::string("http://") + host)->is_loopback()) << host;
  for (const char* host : {"127.example.com", "128.0.0.1", "127.0.0.1.example.com", "a"})
    EXPECT_FALSE(ParseHttpUrl(std::string("http://") + host)->is_loopback()) << host;
}

TEST(HttpUrl, RefusesWhatIsNone) {
  for (const char* wrong :
       {"", "127.0.0.1:8080", "ftp://a", "http://", "http://:80", "http://a:0", "http://a:65536",
        "http://a:x", "http://a b", "http://a/?q=1", "http://a/#f", "http://a\r\nX: y",
        "http://[::1", "http://[::1]x", "http://[zz]", "http://a%00"}) {
    const auto url = ParseHttpUrl(wrong);
    ASSERT_FALSE(url) << wrong;
    EXPECT_NE(url.error().find("http://127.0.0.1:8080"), std::string::npos) << url.error();
  }
}

TEST(HttpUrl, ShowsNoPassword) {
  const auto url = ParseHttpUrl("https://me:secret@a");
  ASSERT_FALSE(url);
  EXPECT_EQ(url.error().find("secret"), std::string::npos);
  EXPECT_NE(url.error().find("remote.keyFile"), std::string::npos);
}

}  // namespace
}  // namespace tenon::server
