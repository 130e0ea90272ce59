#include "model/text/tokenizer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "model/text/byte_alphabet.h"
#include "model/text/pair_merges.h"
#include "model/text/sentencepiece_model.h"
#include "model/text/sentencepiece_vocabulary.h"
#include "model/text/tokens_by_name.h"
#include "model/text/utf8.h"

namespace tenon::model {
namespace {

// No vocabulary is so large.
constexpr TokenId kNoToken{std::numeric_limits<uint32_t>::max()};

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
  std::array<TokenId, 256> byte_tokens{};  // [byte]; of byte-level BPE
  PairMerges merges;
  // Text -> normal token, where a whole pre-token goes before merges. Views `bytes`.
  TokensByName whole;
  // Ascending by their texts. Of several with one text the first one, and the first that is no
  // control token.
  std::vector<SpecialToken> specials;
  std::array<bool, 256> begins_special{};  // [byte]
  // One of the three, by the kind of tokenizer.
  std::optional<PreTokenizer> pre_tokenizer;
  std::optional<CharacterBpe> characters;
  std::optional<SentencepieceVocabulary> sentencepiece;
  TextEnds ends;

  // Appends an entry of the vocabulary. True where merges may produce the entry.
  bool Add(std::string_view name, TokenKind kind);
  // The same for a vocabulary that says which text a token has.
  void AddEntry(std::string_view name, TokenKind kind, std::string text);
  void SortSpecials();
  void EncodePlain(std::string_view text, TextPlace place, std::vector<TokenId>& out) const;
  void EncodePiece(std::string_view piece, std::vector<TokenId>& out) const;
  const SpecialToken* SpecialAt(std::string_view text, bool parse_control) const;
  // The bytes before the beginning of a user-defined token with which the text ends. Such a token
  // is taken verbatim, so no token of its beginning is settled.
  size_t BytesBeforeUserDefined(std::string_view text) const;
};

// Tokens that stand for no text, for whichever reason, are control tokens.
static bool IsWithoutText(TokenKind kind) {
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
}

void Tokenizer::Tables::SortSpecials() {
  std::stable_sort(specials.begin(), specials.end(),
                   [](const auto& a, const auto& b) { return a.text < b.text; });
  const auto adds_nothing = [](const SpecialToken& first, const SpecialToken& next) {
    return first.text == next.text && (!first.control || next.control);
  };
  specials.erase(std::unique(specials.begin(), specials.end(), adds_nothing), specials.end());
  for (const SpecialToken& special : specials)
    begins_special[static_cast<uint8_t>(special.text[0])] = true;
}

void Tokenizer::Tables::EncodePiece(std::string_view piece, std::vector<TokenId>& out) const {
  if (const auto found = whole.find(piece); found != whole.end())
    return out.push_back(found->second);
  std::vector<TokenId> units;
  units.reserve(piece.size());
  for (const char c : piece) {
    const TokenId token = byte_tokens[static_cast<uint8_t>(c)];
    if (token != kNoToken) units.push_back(token);
  }
  merges.Apply(units, out);
}

void Tokenizer::Tables::EncodePlain(std::string_view text, TextPlace place,
                                    std::vector<TokenId>& out) const {
  if (sentencepiece) return sentencepiece->Encode(text, place, out);
  if (characters) return characters->Encode(text, place, out);
  for (const std::string_view piece : pre_tokenizer->Split(text)) EncodePiece(piece, out);
}

// The tokens that begin with the first n bytes of the text are a range of `specials`, which gets
// smaller with each byte; those of no more bytes come first in it.
const SpecialToken* Tokenizer::Tables::SpecialAt(std::string_view text, bool parse_control) const {
  if (!begins_special[static_cast<uint8_t>(text[0])]) return nullptr;
  // The library takes user-defined tokens itself.
  if (sentencepiece && !parse_control) return nullptr;
  const SpecialToken* longest = nullptr;
  auto first = specials.begin(), last = specials.end();
  for (size_t n = 0; n < text.size() && first != last; ++n) {
    const int wanted = static_cast<uint8_t>(text[n]);
    const auto byte_of = [n](const SpecialToken& special) {
      return special.text.size() > n ? static_cast<uint8_t>(special.text[n]) : -1;
    };
    first = std::partition_point(
        first, last, [&](const SpecialToken& special) { return byte_of(special) < wanted; });
    last = std::partition_point(
        first, last, [&](const SpecialToken& special) { return byte_of(special) == wanted; });
    for (auto at = first; at != last && at->text.size() == n + 1; ++at) {
      if (!parse_control && at->control) continue;
      longest = &*at;
      break;
    }
  }
  return longest;
}

tl::expected<Tokenizer, std::string> Tokenizer::FromParts(TokenizerParts parts) {
  if (parts.characters) return FromCharacters(parts);
  auto tables = std::make_unique<Tables>();
  tables->pre_tokenizer = std::move(parts.pre_tokenizer);
  TokensByName ids;
  ids.reserve(parts.tokens.size());
  for (uint32_t i = 0; i < parts.tokens.size(); ++i) {
    if (tables->Add(parts.tokens[i].name, parts.tokens[i].kind))
      ids.emplace(parts.tokens[i].name, TokenId{i});
  }
  if (parts.whole_tokens_first) {
    for (const auto& [name, id] : ids) tables->whole.emplace(tables->bytes[id.value], id);
  }
  tables->SortSpecials();
  for (int byte = 0; byte < 256; ++byte) {
    const auto found = ids.find(ByteAsText(static_cast<uint8_t>(byte)));
    tables->byte_tokens[byte] = found == ids.end() ? kNoToken : found->second;
  }
  auto merges = PairMerges::Read(parts.merges, ids);
  if (!merges) return tl::unexpected(std::move(merges.error()));
  tables->merges = *std::move(merges);
  tables->ends = std::move(parts.ends);
  return Tokenizer(std::move(tables));
}

tl::expected<Tokenizer, std::string> Tokenizer::FromCharacters(const TokenizerParts& parts) {
  auto characters = CharacterBpe::Make(parts.tokens, parts.merges, *parts.characters);
  if (!characters) return tl::unexpected(std::move(characters.error()));
  auto tables = std::make_unique<Tables>();
  tables->characters = *std::move(characters);
  for (const auto& [name, kind] : parts.tokens) {
    const bool verbatim = kind == TokenKind::kUserDefined;
    tables->AddEntry(name, kind,
                     verbatim ? std::string(name) : BytesOf({std::string(name), 0, kind}));
  }
  tables->SortSpecials();
  tables->ends = parts.ends;
  return Tokenizer(std::move(tables));
}

tl::expected<Tokenizer, std::string> Tokenizer::FromSentencepiece(const SentencepieceModel& model,
                                                                  TextEnds ends) {
  auto vocabulary = SentencepieceVocabulary::Make(model);
  if (!vocabulary) return tl::unexpected(std::move(vocabulary.error()));
  auto tables = std::make_unique<Tables>();
  tables->sentencepiece = *std::move(vocabulary);
  for (const SentencepieceModel::Piece& piece : model.pieces)
    tables->AddEntry(piece.name, piece.kind, BytesOf(piece));
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
    if (tables_->characters && !tables_->characters->begins_anew()) place = TextPlace::kInside;
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

// The bytes of the pieces, from the first one on, that are the same in both lists.
size_t BytesInCommon(const std::vector<std::string_view>& a,
                     const std::vector<std::string_view>& b) {
  size_t same = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) same += a[i].size();
  return same;
}

}  // namespace

size_t Tokenizer::Tables::BytesBeforeUserDefined(std::string_view text) const {
  size_t before = text.size();
  for (const SpecialToken& special : specials) {
    if (special.control) continue;
    // The longest beginning of the token that the text ends with; longer ones come first.
    for (size_t n = std::min(special.text.size() - 1, text.size()); n > text.size() - before; --n) {
      if (!text.ends_with(std::string_view(special.text).substr(0, n))) continue;
      before = text.size() - n;
      break;
    }
  }
  return before;
}

size_t Tokenizer::SettledBytes(std::string_view text, std::span<const uint8_t> next) const {
  if (tables_->sentencepiece) return tables_->sentencepiece->SettledBytes(text, next);
  if (tables_->characters) return tables_->characters->SettledBytes(text, next);
  const std::string_view whole = text.substr(0, text.size() - UnfinishedBytes(text));
  size_t settled = tables_->BytesBeforeUserDefined(whole);
  const std::vector<std::string_view> pieces = tables_->pre_tokenizer->Split(text);
  for (const std::string& follow : Continuations(next)) {
    const std::string longer = std::string(text) + follow;
    settled = std::min(settled, BytesInCommon(pieces, tables_->pre_tokenizer->Split(longer)));
  }
  // The end of the last whole piece.
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
  const auto& specials = tables_->specials;
  const auto found = std::lower_bound(
      specials.begin(), specials.end(), text,
      [](const SpecialToken& special, std::string_view of) { return special.text < of; });
  if (found == specials.end() || found->text != text) return std::nullopt;
  return found->id;
}

std::string_view Tokenizer::Name(TokenId id) const {
  return id.value < size() ? std::string_view(tables_->names[id.value]) : std::string_view();
}

size_t Tokenizer::size() const { return tables_->bytes.size(); }
std::optional<TokenId> Tokenizer::eos() const { return tables_->ends.eos; }
std::optional<TokenId> Tokenizer::bos() const { return tables_->ends.bos; }
std::vector<TokenId> Tokenizer::end_tokens() const {
  std::vector<TokenId> ends = tables_->ends.also_end;
  if (const auto eos = tables_->ends.eos) {
    ends.erase(std::remove(ends.begin(), ends.end(), *eos), ends.end());
    ends.insert(ends.begin(), *eos);
  }
  return ends;
}
bool Tokenizer::add_bos() const { return tables_->ends.add_bos; }

}  // namespace tenon::model
