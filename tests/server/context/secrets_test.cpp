#include "server/context/secrets.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// Made up, and put together here so that no scanner of repositories takes them for real ones.
std::string Made(const std::string& prefix, size_t size) {
  std::string token = prefix;
  while (token.size() < prefix.size() + size) token += "Ab3dE9"[token.size() % 6];
  return token;
}

TEST(Secrets, AreFilesThatHoldNothingElse) {
  for (const char* name :
       {".env", ".env.local", "prod.env", "id_rsa", "id_ed25519", "server.pem", "tls.key",
        "credentials", "credentials.json", "client_secrets.yaml", ".netrc", ".npmrc", "store.kdbx"})
    EXPECT_TRUE(HoldsSecretsByName(name)) << name;
  for (const char* name :
       {"environment.py", "keys.go", "id_rsa.py", "secretary.py", "key", "a.env.py"})
    EXPECT_FALSE(HoldsSecretsByName(name)) << name;
}

TEST(Secrets, AreTokensOfKnownIssuers) {
  for (const std::string& text :
       {"x = '" + Made("ghp_", 36) + "'", Made("github_pat_", 40), Made("glpat-", 20),
        Made("xoxb-", 24), Made("sk_live_", 24), Made("sk-", 32), Made("AIza", 35), Made("hf_", 34),
        std::string("AKIA") + "ABCDEFGHIJKLMNOP",
        Made("eyJ", 20) + "." + Made("eyJ", 20) + "." + Made("", 20)})
    EXPECT_TRUE(HoldsSecret(text)) << text;
}

TEST(Secrets, ArePrivateKeysAndCredentialsInUrls) {
  EXPECT_TRUE(HoldsSecret("-----BEGIN OPENSSH PRIVATE KEY-----\n"));
  EXPECT_TRUE(HoldsSecret("-----BEGIN RSA PRIVATE KEY-----\n"));
  EXPECT_FALSE(HoldsSecret("-----BEGIN CERTIFICATE-----\n"));
  EXPECT_TRUE(HoldsSecret("postgres://admin:hunter22@db/x"));
  EXPECT_FALSE(HoldsSecret("postgres://{user}:{password}@db/x"));
  EXPECT_FALSE(HoldsSecret("http://localhost:8080/x"));
}

TEST(Secrets, AreLiteralsOfTellingNames) {
  EXPECT_TRUE(HoldsSecret("PASSWORD = \"correcthorse\""));
  EXPECT_TRUE(HoldsSecret("  \"api_key\": \"0123456789abcdef\","));
  EXPECT_TRUE(HoldsSecret("authToken := `0123456789abcdef`"));
  EXPECT_FALSE(HoldsSecret("password = input(\"Password: \")"));
  EXPECT_FALSE(HoldsSecret("secret = load(\"settings\")"));
  EXPECT_FALSE(HoldsSecret("def check(password: str, token: str) -> bool:"));
}

}  // namespace
}  // namespace tenon::server
