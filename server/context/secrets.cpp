#include "server/context/secrets.h"

#include "server/context/expression.h"

namespace tenon::server {
namespace {

constexpr const char* kNames =
    R"((?i)^(\.env(\..+)?|.+\.env|\.netrc|_netrc|\.pgpass|\.npmrc|\.pypirc|\.htpasswd|id_(rsa|dsa|ecdsa|ed25519))"
    R"(|.+\.(pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg)|(client_)?secrets?(\..+)?|credentials(\..+)?)$)";

constexpr const char* kTexts =
    // private keys
    R"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY)"
    // tokens that begin as their issuer writes them
    R"(|\b(AKIA|ASIA)[0-9A-Z]{16}\b)"
    R"(|\b(ghp|gho|ghu|ghs|ghr)_[0-9A-Za-z]{30,}|\bgithub_pat_[0-9A-Za-z_]{30,})"
    R"(|\bglpat-[0-9A-Za-z_-]{20,}|\bAIza[0-9A-Za-z_-]{30,}|\bya29\.[0-9A-Za-z_-]{20,})"
    R"(|\bxox[abeoprs]-[0-9A-Za-z-]{10,}|\b[rs]k_live_[0-9A-Za-z]{16,})"
    R"(|\bsk-[0-9A-Za-z_-]{20,}|\bhf_[0-9A-Za-z]{30,}|\bnpm_[0-9A-Za-z]{30,}|\bpypi-[0-9A-Za-z_-]{50,})"
    R"(|\bSG\.[0-9A-Za-z_-]{20,}\.[0-9A-Za-z_-]{20,})"
    // JSON Web Tokens
    R"(|\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.)"
    // scheme://user:password@host
    R"(|\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@'"]{1,64}:[^\s/:@'"{}$%<]{4,64}@)"
    // a literal after a telling name
    R"(|(?i:passw(or)?d|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token|credentials?))"
    R"((?i:[a-z0-9_]{0,16})["']?\s{0,4}(:=|=>|=|:)\s{0,4}["'`][^\s"'`{}$%<]{8,}["'`])";

}  // namespace

bool HoldsSecretsByName(std::string_view name) {
  static const auto kExpression = Expression::Of(kNames);
  return kExpression->Finds(name);
}

bool HoldsSecret(std::string_view text) {
  static const auto kExpression = Expression::Of(kTexts);
  return kExpression->Finds(text);
}

}  // namespace tenon::server
