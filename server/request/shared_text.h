// A text that never changes, shared by all who hold it.
//
// Example: an editor asks four questions about a buffer of 10 MB. The document, the questions and
// the computation hold one text of 10 MB, and no copies. The text is freed with its last holder.
//
// Cost: a copy of the object is one counter. Thread rule: the text may be read by any thread; each
// object belongs to one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tenon::server {

class SharedText {
 public:
  SharedText() : SharedText(std::string()) {}
  // Implicit: a text is written where a shared one is wanted.
  SharedText(std::string text)  // NOLINT(google-explicit-constructor)
      : text_(std::make_shared<const std::string>(std::move(text))) {}
  // REQUIRES: text is not null.
  explicit SharedText(std::shared_ptr<const std::string> text) : text_(std::move(text)) {}

  // Implicit: a shared text is read like any other.
  operator const std::string&() const { return *text_; }  // NOLINT(google-explicit-constructor)
  operator std::string_view() const { return *text_; }    // NOLINT(google-explicit-constructor)
  const std::string& operator*() const { return *text_; }
  const std::string* operator->() const { return text_.get(); }
  [[nodiscard]] size_t size() const { return text_->size(); }

  friend bool operator==(const SharedText& a, const SharedText& b) {
    return a.text_ == b.text_ || *a.text_ == *b.text_;
  }

 private:
  std::shared_ptr<const std::string> text_;
};

}  // namespace tenon::server
