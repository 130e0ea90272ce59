#include <algorithm>

#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"
#include "tenon/document.h"

namespace tenon::server {
namespace {

// How much is typed, at how many places.
constexpr size_t kTypedBytes = 400;
constexpr size_t kPlaces = 5;
// A person errs: every so many keystrokes a wrong one, and it is taken back.
constexpr size_t kKeystrokesBetweenErrors = 25;
constexpr char kWrongKey = 'x';

size_t LineStartFrom(std::string_view text, size_t at) {
  const size_t line_end = text.find('\n', at);
  return line_end == std::string_view::npos ? text.size() : line_end + 1;
}

// Typing with an editor that closes brackets and quotes: these are typed over, line ends indented.
// So some keystrokes change the right context, too.
constexpr std::string_view kTypedIntoBrackets =
    "\nif value is not None and len(items) > 3:\nresult = compute(items[0], \"name\", key=lambda "
    "e: e[1])\n"
    "print(f(\"{}\".format(result)), {'a': [1, 2]})\n# a remark, it's short\nfor i in "
    "range(10):\nreturn "
    "other[i](x)\n";
constexpr int kStrokesBetweenCold = 25;

void TypeIntoBrackets(const Invocation& invocation, const Language& language,
                      const std::string& text) {
  Timings kept("keystroke_brackets", TimeUnit::kMilliseconds),
      cold("keystroke_cold", TimeUnit::kMilliseconds);
  Document document(language);
  int strokes = 0;
  for (const size_t place : {text.size() / 10, text.size() / 2, text.size() * 9 / 10}) {
    const size_t line = text.rfind('\n', place);
    if (line == std::string::npos) continue;
    std::string left = text.substr(0, line), right = text.substr(line);
    const auto open = [&] {
      kept.Time([&] { return document.Open(left, right)->viable(); });
      if (++strokes % kStrokesBetweenCold == 0)
        cold.Time([&] { return Gap::Open(language, left, right).viable(); });
    };
    open();
    for (const char c : kTypedIntoBrackets) {
      constexpr std::string_view kOpening = "([{\"'", kClosing = ")]}\"'";
      const bool types_over =
          !right.empty() && c == right[0] && kClosing.find(c) != std::string_view::npos;
      left += c;
      if (types_over) {
        right.erase(0, 1);
      } else if (c == '\n') {
        left += "    ";
      } else if (const size_t kind = kOpening.find(c); kind != std::string_view::npos) {
        right.insert(0, 1, kClosing[kind]);
      }
      open();
    }
  }
  for (Timings* row : {&kept, &cold}) {
    if (row->empty()) continue;
    row->Note("file_bytes", text.size());
    PrintRow(invocation, row->Row());
  }
}

}  // namespace

void BenchKeystrokes(const Invocation& invocation, const Language& language,
                     const std::string& text) {
  // The typed text is the text of the file: code with its quotes, brackets and line ends, which is
  // broken at most moments, as a file is under a person's hands.
  Timings first("keystroke_first", TimeUnit::kMilliseconds),
      keystroke("keystroke", TimeUnit::kMilliseconds);
  Document document(language);
  std::string left;
  const auto open = [&](Timings& row, std::string_view right) {
    row.Time([&] { return document.Open(left, right); });
  };
  for (size_t i = 0; i < kPlaces; ++i) {
    const size_t begin = LineStartFrom(text, text.size() * (2 * i + 1) / (2 * kPlaces));
    const size_t end = LineStartFrom(text, std::min(text.size(), begin + kTypedBytes));
    const std::string_view typed = std::string_view(text).substr(begin, end - begin);
    const std::string_view right = std::string_view(text).substr(end);
    left = text.substr(0, begin);
    open(first, right);  // the cursor comes here from elsewhere
    for (size_t n = 0; n < typed.size(); ++n) {
      left += typed[n];
      open(keystroke, right);
      if (n % kKeystrokesBetweenErrors != kKeystrokesBetweenErrors - 1) continue;
      left += kWrongKey;
      open(keystroke, right);
      left.pop_back();
      open(keystroke, right);
    }
  }
  for (Timings* row : {&first, &keystroke}) {
    if (row->empty()) continue;
    row->Note("file_bytes", text.size());
    row->Note("file_lines", static_cast<size_t>(std::count(text.begin(), text.end(), '\n')));
    PrintRow(invocation, row->Row());
  }
  TypeIntoBrackets(invocation, language, text);
}

}  // namespace tenon::server
