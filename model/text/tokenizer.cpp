#include "model/text/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "model/text/byte_alphabet.h"
#include "model/text/sentencepiece_vocabulary.h"

namespace tenon::model {
namespace {

// No vocabulary is so large.
constexpr TokenId kNoToken{std::numeric_limits<uint32_t>::max()};

struct Merge {
  int32_t rank;
  TokenId merged;
};

uint64_t PairKey(TokenId left, TokenId right) { return uint64_t{left.value} << 32 | right.value; }

// A node of a doubly linked list over a pre-token: the bytes that are merged to one token so far.
struct MergeNode {
  TokenId token;  // kNoToken: merged into its left neighbour
  int32_t previous;
  int32_t next;
};

// Two neighbours that could merge. A candidate is stale when one of its nodes has merged since:
// the nodes' tokens then differ from those of the candidate.
struct Candidate {
  int32_t rank;
  int32_t left;  // index of the left node
  TokenId left_token;
  TokenId right_token;
  TokenId merged;
  bool operator>(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : left > other.left;
  }
};

struct SpecialToken {
  std::string text;
  TokenId id;
  bool control;
};

}  // namespace

struct Tokenizer::Tables {
  // The next three have one entry a token.
  std::vector<std::string> bytes;
  std::vector<std::string> names;
  std::vector<TokenKind> kinds;
  std::array<TokenId, 256> byte_tokens{};
  std::unordered_map<uint64_t, Merge> merges;
  // The longest first, so that the first match at an offset is the right one.
  std::vector<SpecialToken> specials;
  std::array<bool, 256> starts_special{};
  // One of the two, by the kind of tokenizer.
  std::optional<PreTokenizer> pre_tokenizer;
  std::optional<SentencepieceVocabulary> sentencepiece;
  TextEnds ends;

  // Appends an entry of the vocabulary. True where merges may produce the entry.
  bool Add(std::string_view name, TokenKind kind);
  void AddEntry(std::string_view name, TokenKind kind, std::string text);
  void SortSpecials();
  void EncodePlain(std::string_view text, TextPlace place, std::vector<TokenId>& out) const;
  void EncodePiece(std::string_view piece, std::vector<TokenId>& out) const;
  const SpecialToken* SpecialAt(std::string_view text, bool parse_control) const;
};

// Tokens that stand for no text, for whichever reason, are control tokens.
bool IsWithoutText(TokenKind kind) {
  return kind == TokenKind::kControl || kind == TokenKind::kUnknown || kind == TokenKind::kUnused;
}

bool Tokenizer::Tables::Add(std::string_view name, TokenKind kind) {
  const bool verbatim = kind == TokenKind::kUserDefined;
  const bool control = IsWithoutText(kind);
  AddEntry(name, kind,
           control    ? std::string()
           : verbatim ? std::string(name)
                      : TextAsBytes(name).value_or(std::string(name)));
  return !control && !verbatim;
}

void Tokenizer::Tables::AddEntry(std::string_view name, TokenKind kind, std::string text) {
  const TokenId id{static_cast<uint32_t>(names.size())};
  const bool control = IsWithoutText(kind);
  names.emplace_back(name);
  kinds.push_back(control ? TokenKind::kControl : kind);
  bytes.push_back(std::move(text));
  if (name.empty() || (!control && kind != TokenKind::kUserDefined)) return;
  specials.push_back({std::string(name), id, control});
  starts_special[static_cast<uint8_t>(name[0])] = true;
}

void Tokenizer::Tables::SortSpecials() {
  std::stable_sort(specials.begin(), specials.end(),
                   [](const auto& a, const auto& b) { return a.text.size() > b.text.size(); });
}

void Tokenizer::Tables::EncodePiece(std::string_view piece, std::vector<TokenId>& out) const {
  std::vector<MergeNode> nodes;
  nodes.reserve(piece.size());
  for (const char c : piece) {
    const TokenId token = byte_tokens[static_cast<uint8_t>(c)];
    if (token == kNoToken) continue;
    const auto at = static_cast<int32_t>(nodes.size());
    nodes.push_back({token, at - 1, at + 1});
  }
  const auto count = static_cast<int32_t>(nodes.size());
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
  const auto consider = [&](int32_t left, int32_t right) {
    if (left < 0 || right >= count) return;
    const auto found = merges.find(PairKey(nodes[left].token, nodes[right].token));
    if (found == merges.end()) return;
    candidates.push(
        {found->second.rank, left, nodes[left].token, nodes[right].token, found->second.merged});
  };
  for (int32_t i = 0; i + 1 < count; ++i) consider(i, i + 1);
  while (!candidates.empty()) {
    const Candidate best = candidates.top();
    candidates.pop();
    MergeNode& left = nodes[best.left];
    if (left.token != best.left_token || left.next >= count) continue;
    MergeNode& right = nodes[left.next];
    if (right.token != best.right_token) continue;
    left.token = best.merged;
    right.token = kNoToken;
    left.next = right.next;
    if (left.next < count) nodes[left.next].previous = best.left;
    consider(left.previous, best.left);
    consider(best.left, left.next);
  }
  for (int32_t i = 0; i < count; i = nodes[i].next) out.push_back(nodes[i].token);
}

void Tokenizer::Tables::EncodePlain(std::string_view text, TextPlace place,
                                    std::vector<TokenId>& out) const {
  if (sentencepiece) return sentencepiece->Encode(text, place, out);
  for (const std::string_view piece : pre_tokenizer->Split(text)) EncodePiece(piece, out);
}

const SpecialToken* Tokenizer::Tables::SpecialAt(std::string_view text, bool parse_control) const {
  if (!starts_special[static_cast<uint8_t>(text[0])]) return nullptr;
  // The library takes user-defined tokens itself.
  if (sentencepiece && !parse_control) return nullptr;
  for (const SpecialToken& special : specials) {
    if ((parse_control || !special.control) && text.starts_with(special.text)) return &special;
  }
  return nullptr;
}

namespace {

// A merge is written "left right". The byte alphabet has no space, so the first space divides.
std::optional<std::string> ReadMerges(const std::vector<std::string_view>& lines,
                                      const std::unordered_map<std::string_view, TokenId>& ids,
                                      std::unordered_map<uint64_t, Merge>& merges) {
  merges.reserve(lines.size());
  std::string joined;
  for (size_t rank = 0; rank < lines.size(); ++rank) {
    const size_t space = lines[rank].find(' ', 1);
    if (space == std::string_view::npos)
      return fmt::format("merge {} ('{}') has no two parts", rank, lines[rank]);
    const auto left = ids.find(lines[rank].substr(0, space));
    const auto right = ids.find(lines[rank].substr(space + 1));
    joined.assign(lines[rank].substr(0, space)).append(lines[rank].substr(space + 1));
    const auto merged = ids.find(joined);
    if (left == ids.end() || right == ids.end() || merged == ids.end()) {
      return fmt::format("merge {} ('{}') names what the vocabulary lacks", rank, lines[rank]);
    }
    merges.emplace(PairKey(left->second, right->second),
                   Merge{static_cast<int32_t>(rank), merged->second});
  }
  return std::nullopt;
}

}  // namespace

tl::expected<Tokenizer, std::string> Tokenizer::FromParts(TokenizerParts parts) {
  auto tables = std::make_unique<Tables>();
  tables->pre_tokenizer = std::move(parts.pre_tokenizer);
  std::unordered_map<std::string_view, TokenId> ids;
  ids.reserve(parts.tokens.size());
  for (uint32_t i = 0; i < parts.tokens.size(); ++i) {
    if (tables->Add(parts.tokens[i].name, parts.tokens[i].kind))
      ids.emplace(parts.tokens[i].name, TokenId{i});
  }
  tables->SortSpecials();
  for (int byte = 0; byte < 256; ++byte) {
    const auto found = ids.find(ByteAsText(static_cast<uint8_t>(byte)));
    tables->byte_tokens[byte] = found == ids.end() ? kNoToken : found->second;
  }
  if (auto wrong = ReadMerges(parts.merges, ids, tables->merges))
    return tl::unexpected(*std::move(wrong));
  tables->ends = parts.ends;
  return Tokenizer(std::move(tables));
}

tl::expected<Tokenizer, std::string> Tokenizer::FromSentencepiece(const SentencepieceModel& model,
                                                                  TextEnds ends) {
  auto vocabulary = SentencepieceVocabulary::Make(model);
  if (!vocabulary) return tl::unexpected(std::move(vocabulary.error()));
  auto tables = std::make_unique<Tables>();
  tables->sentencepiece = *std::move(vocabulary);
  tables->byte_tokens.fill(kNoToken);
  for (const SentencepieceModel::Piece& piece : model.pieces) {
    std::string text = BytesOf(piece);
    if (text.size() == 1)
      tables->byte_tokens[static_cast<uint8_t>(text[0])] =
          TokenId{static_cast<uint32_t>(tables->names.size())};
    tables->AddEntry(piece.name, piece.kind, std::move(text));
  }
  tables->SortSpecials();
  tables->ends = ends;
  return Tokenizer(std::move(tables));
}

Tokenizer::Tokenizer(std::unique_ptr<Tables> tables) : tables_(std::move(tables)) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

std::vector<TokenId> Tokenizer::Encode(std::string_view text, bool parse_special,
                                       TextPlace place) const {
  std::vector<TokenId> out;
  size_t plain_from = 0;
  for (size_t at = 0; at < text.size();) {
    const SpecialToken* special = tables_->SpecialAt(text.substr(at), parse_special);
    if (!special) {
      ++at;
      continue;
    }
    tables_->EncodePlain(text.substr(plain_from, at - plain_from), place, out);
    out.push_back(special->id);
    at += special->text.size();
    plain_from = at;
  }
  tables_->EncodePlain(text.substr(plain_from), place, out);
  return out;
}

namespace {

// Samples of texts that begin with a byte of `next`: one for each kind of character that the
// regular expressions of pre-tokenizers tell apart, alone and with one more character after it.
std::vector<std::string> Continuations(std::span<const uint8_t> next) {
  std::vector<std::string> follow;
  const auto add = [&follow](std::string_view begin) {
    for (const char* after : {"", " ", "a", "'", "\n"})
      follow.push_back(std::string(begin) + after);
  };
  bool letter = false, digit = false, beyond = false;
  for (const uint8_t byte : next) {
    const char c = static_cast<char>(byte);
    const bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    const bool is_digit = byte >= '0' && byte <= '9';
    // Contractions are matched as a whole: 's, 't, 'm, 'd and 're, 've, 'll. A letter that begins
    // none is like any other such letter.
    if (is_letter && std::string_view("stmdSTMD").find(c) == std::string_view::npos) {
      for (const char* contraction : {"re", "ve", "ll"}) {
        if ((byte | 0x20) == contraction[0]) add(contraction);
      }
      if (std::exchange(letter, true)) continue;
    }
    if (is_digit && std::exchange(digit, true)) continue;
    if (byte < 0x80) {
      add(std::string_view(&c, 1));
    } else if (!std::exchange(beyond, true)) {
      for (const char* kind : {"\xc3\xa9", "\xe2\x80\x94", "\xc2\xa0", "\xd9\xa0", "\xcc\x81"})
        add(kind);  // é — blank ٠ accent
    }
  }
  return follow;
}

}  // namespace

size_t Tokenizer::SettledBytes(std::string_view text, std::span<const uint8_t> next) const {
  if (tables_->sentencepiece) return tables_->sentencepiece->SettledBytes(text, next);
  size_t settled = text.size();
  // A character whose last bytes are still missing is not settled.
  size_t tail = 0;
  while (tail < settled && tail < 3 &&
         (static_cast<uint8_t>(text[settled - 1 - tail]) & 0xc0) == 0x80)
    ++tail;
  if (tail < settled && static_cast<uint8_t>(text[settled - 1 - tail]) >= 0xc0) settled -= tail + 1;
  // The beginning of a user-defined token, which is taken verbatim, is not settled.
  for (const SpecialToken& special : tables_->specials) {
    for (size_t n = std::min(special.text.size() - 1, settled); !special.control && n > 0; --n) {
      if (text.substr(0, settled).ends_with(std::string_view(special.text).substr(0, n)))
        settled -= n;
    }
  }
  const std::vector<std::string_view> pieces = tables_->pre_tokenizer->Split(text);
  for (const std::string& follow : Continuations(next)) {
    const std::string longer = std::string(text) + follow;
    const std::vector<std::string_view> other = tables_->pre_tokenizer->Split(longer);
    size_t same = 0;
    for (size_t i = 0; i < std::min(pieces.size(), other.size()) && pieces[i] == other[i]; ++i)
      same += pieces[i].size();
    settled = std::min(settled, same);
  }
  size_t end = 0;
  for (size_t i = 0; i < pieces.size() && end + pieces[i].size() <= settled; ++i)
    end += pieces[i].size();
  return end;
}

std::string_view Tokenizer::Bytes(TokenId id) const {
  return id.value < size() ? std::string_view(tables_->bytes[id.value]) : std::string_view();
}

std::string Tokenizer::Decode(const std::vector<TokenId>& ids) const {
  std::string text;
  for (const TokenId id : ids) text += Bytes(id);
  return text;
}

bool Tokenizer::IsControl(TokenId id) const {
  return id.value < size() && tables_->kinds[id.value] == TokenKind::kControl;
}

std::optional<TokenId> Tokenizer::FindSpecial(std::string_view text) const {
  for (const SpecialToken& special : tables_->specials) {
    if (special.text == text) return special.id;
  }
  return std::nullopt;
}

std::string_view Tokenizer::Name(TokenId id) const {
  return id.value < size() ? std::string_view(tables_->names[id.value]) : std::string_view();
}

bool Tokenizer::CanEncode(uint8_t byte) const { return tables_->byte_tokens[byte] != kNoToken; }
size_t Tokenizer::size() const { return tables_->bytes.size(); }
std::optional<TokenId> Tokenizer::eos() const { return tables_->ends.eos; }
std::optional<TokenId> Tokenizer::bos() const { return tables_->ends.bos; }
bool Tokenizer::add_bos() const { return tables_->ends.add_bos; }

}  // namespace tenon::model
