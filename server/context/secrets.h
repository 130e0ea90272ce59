// Does a text look like a secret: a key, a token, a password?
//
// Text of one file that is shown to the model can turn up in another file as a completion. Example:
// `API_TOKEN=ghp_9fK…` of an open `.env` must never be offered in `client.py`. So files that hold
// nothing but secrets are never shown, and neither is a stretch with something like one in it.
//
// The expressions are those of well-known issuers (AWS, GitHub, GitLab, Google, Slack, Stripe,
// OpenAI and others), private keys in PEM, JSON Web Tokens, credentials in URLs, and long literals
// that are assigned to a name such as `password`. A false alarm costs one snippet.
//
// Source: the issuers' pages on the forms of their tokens; RFC 7468 (PEM), RFC 7519 (JWT).
// Cost: linear in the text. Thread rule: pure functions.
#pragma once

#include <string_view>

namespace tenon::server {

// By a file's base name: `.env`, `.env.local`, `id_ed25519`, `server.pem`, `credentials.json`.
[[nodiscard]] bool HoldsSecretsByName(std::string_view name);
[[nodiscard]] bool HoldsSecret(std::string_view text);

}  // namespace tenon::server
