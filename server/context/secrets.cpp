#include "server/context/secrets.h"

#include <memory>
#include <new>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

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
    // a literal behind a telling name
    R"(|(?i:passw(or)?d|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token|credentials?))"
    R"((?i:[a-z0-9_]{0,16})["']?\s{0,4}(:=|=>|=|:)\s{0,4}["'`][^\s"'`{}$%<]{8,}["'`])";

struct CodeDeleter {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
using Code = std::unique_ptr<pcre2_code, CodeDeleter>;
struct MatchDeleter {
  void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
};

Code Compile(const char* expression) {
  int error = 0;
  PCRE2_SIZE at = 0;
  Code code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression), PCRE2_ZERO_TERMINATED, 0,
                          &error, &at, nullptr));
  if (code == nullptr) throw std::bad_alloc();  // the expressions are constant and right
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
  return code;
}

// A match that cannot be decided within the library's limits counts as one.
bool Finds(const Code& code, std::string_view text) {
  const std::unique_ptr<pcre2_match_data, MatchDeleter> match(
      pcre2_match_data_create_from_pattern(code.get(), nullptr));
  return pcre2_match(code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, 0,
                     match.get(), nullptr) != PCRE2_ERROR_NOMATCH;
}

}  // namespace

bool HoldsSecretsByName(std::string_view name) {
  static const Code kCode = Compile(kNames);
  return Finds(kCode, name);
}

bool HoldsSecret(std::string_view text) {
  static const Code kCode = Compile(kTexts);
  return Finds(kCode, text);
}

}  // namespace tenon::server
