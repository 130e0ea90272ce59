// TLS: whose certificate is trusted, and what is said where none is.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/server/remote/http_questions.h"
#include "tests/server/remote/test_server.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using std::chrono::milliseconds;

class HttpsTest : public testing::Test {
 protected:
  static void Serve(TestConnection& client) {
    client.SendHead("200 OK", "Content-Length: 2\r\n");
    client.Send("ok");
  }
  TemporaryFolder folder_;
};

TEST_F(HttpsTest, RefusesACertificateThatNobodyVouchesFor) {
  const TestServer server(Serve, TestCertificate::For("IP:127.0.0.1"));
  const std::string said = Get(*ClientOf(server));
  EXPECT_TRUE(Has(said, "its certificate is not trusted")) << said;
  EXPECT_TRUE(Has(said, "remote.caFile")) << said;
  EXPECT_TRUE(server.bodies().empty());
}

TEST_F(HttpsTest, TakesTheCertificateThatTheUserNames) {
  const TestCertificate certificate = TestCertificate::For("IP:127.0.0.1");
  const TestServer server(Serve, certificate);
  const std::string file = folder_.Write("ca.pem", certificate.certificate_pem);
  EXPECT_EQ(Get(*ClientOf(server, {}, file)), "200 ok");
  const std::string other =
      folder_.Write("other.pem", TestCertificate::For("IP:127.0.0.1").certificate_pem);
  EXPECT_TRUE(Has(Get(*ClientOf(server, {}, other)), "not trusted"));
}

TEST_F(HttpsTest, TellsTheServerItsNameAndNoAddress) {
  const TestCertificate certificate = TestCertificate::For("IP:127.0.0.1,DNS:localhost");
  const TestServer server(Serve, certificate);
  const std::string file = folder_.Write("ca.pem", certificate.certificate_pem);
  EXPECT_EQ(Get(*ClientOf(server, {}, file)), "200 ok");
  ASSERT_FALSE(server.names().empty());
  EXPECT_EQ(server.names().front(), "");
  const auto named =
      HttpClient::Make(*ParseHttpUrl("https://localhost:" + std::to_string(server.port())), file);
  ASSERT_TRUE(named) << named.error();
  EXPECT_EQ(Get(**named), "200 ok");
  EXPECT_EQ(server.names().back(), "localhost");
}

TEST_F(HttpsTest, HasASpareConnectionForAnAnswerThatIsDropped) {
  const TestCertificate certificate = TestCertificate::For("IP:127.0.0.1");
  const TestServer server(
      [](TestConnection& client) {
        client.SendHead();
        client.WaitForClose();
      },
      certificate);
  const auto client = ClientOf(server, {}, folder_.Write("ca.pem", certificate.certificate_pem));
  for (size_t question = 1; question < 4; ++question) {
    auto answer = client->Ask({}, Deadline(), std::stop_token());
    ASSERT_TRUE(answer) << answer.error().message;
    while (server.connections() != question + 1) std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(server.bodies().size(), 3u);
}

TEST_F(HttpsTest, RefusesTheCertificateOfAnotherHost) {
  const TestCertificate certificate = TestCertificate::For("DNS:gpu.example,IP:127.0.0.2");
  const TestServer server(Serve, certificate);
  const std::string file = folder_.Write("ca.pem", certificate.certificate_pem);
  const std::string said = Get(*ClientOf(server, {}, file));
  EXPECT_TRUE(Has(said, "fault: ")) << said;
  EXPECT_TRUE(server.bodies().empty());
}

TEST_F(HttpsTest, SaysThatAServerSpeaksNoTls) {
  const TestServer server([](TestConnection&) {});
  const auto url = ParseHttpUrl("https" + server.url().substr(4));
  const auto client = *HttpClient::Make(*url, "", {.connect = milliseconds(200)});
  EXPECT_TRUE(Has(Get(*client), "fault: "));
}

TEST_F(HttpsTest, RefusesAFileWithoutCertificates) {
  const std::string file = folder_.Write("ca.pem", "hello");
  const auto client = HttpClient::Make(*ParseHttpUrl("https://a"), file);
  ASSERT_FALSE(client);
  EXPECT_TRUE(client.error().starts_with(file)) << client.error();
}

}  // namespace
}  // namespace tenon::server
