// Prints the tokens of files, for tools/model/reference_sentencepiece.py and compare_tokens.py,
// which compare them.
//
//   tokenize_files MODEL [special] < PATHS
//
// `special`: the text of a control token in a file is the control token.
// One line a path: `spelled` where the tokens inside a text give the file's bytes back, else
// `changed`; then the ids of the tokens at the beginning.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string_view>

#include "model/text/text.h"

int main(int argc, char** argv) {
  using tenon::model::TextPlace;
  const bool parse_special = argc == 3 && std::string_view(argv[2]) == "special";
  if (argc != 2 && !parse_special) {
    std::cerr << "usage: tokenize_files MODEL [special] < PATHS\n";
    return 2;
  }
  const auto tokenizer = tenon::model::OpenTokenizer(argv[1]);
  if (!tokenizer) {
    std::cerr << tokenizer.error().message << "\n";
    return 1;
  }
  for (std::string path; std::getline(std::cin, path);) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    const auto inside = tokenizer->Encode(text.view(), false);
    std::cout << (tokenizer->Decode(inside) == text.view() ? "spelled" : "changed");
    for (const auto id : tokenizer->Encode(text.view(), parse_special, TextPlace::kBeginning))
      std::cout << ' ' << id.value;
    std::cout << '\n';
  }
}
