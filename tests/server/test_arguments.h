// What the test program was started with, beyond GoogleTest's own arguments.
#pragma once

namespace tenon::server {

// --update: golden files are rewritten instead of compared.
bool UpdateGoldenFiles();

}  // namespace tenon::server
