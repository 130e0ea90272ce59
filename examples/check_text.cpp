// Is a file valid in a language, and if not, where does it go wrong?
//
//   check_text GRAMMAR FILE
//
// For a JSON file of two lines, `[1, 2,` and `]`, it prints this and ends with status 1:
//   FILE:2:1: ']' cannot stand here; expected a string, a number, '{', '[' or 3 others
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include <tenon/language.h>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: check_text GRAMMAR FILE\n";
    return 2;
  }

  // A grammar is compiled once. Faults of a grammar are values: no exception is thrown.
  const tenon::Result<tenon::Language> language = tenon::Language::FromFile(argv[1]);
  if (!language) {
    std::cerr << language.error().ToString() << "\n";
    return 2;
  }

  std::ifstream in(argv[2], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) {
    std::cerr << argv[2] << ": cannot be read\n";
    return 2;
  }

  // CheckFile first decodes a file that declares an encoding; Check takes a text in UTF-8.
  const tenon::FileCheck checked = language->CheckFile(bytes);
  if (checked.check.valid) {
    std::cout << argv[2] << ": valid\n";
    return 0;
  }

  // The offset counts bytes of the text in UTF-8, from 0.
  const std::string before = checked.text.substr(0, checked.check.offset_bytes);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t line_begin = before.find_last_of('\n') + 1;  // 0 where there is none
  std::cout << argv[2] << ":" << line << ":" << before.size() - line_begin + 1 << ": ";
  std::cout << checked.check.message << "\n";
  return 1;
}
