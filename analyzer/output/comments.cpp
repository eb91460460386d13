#include "analyzer/output/comments.h"

#include <algorithm>
#include <cctype>

namespace syncsniff::output {
namespace {

constexpr size_t kLongestDelimiter = 16;  // of a raw string's delimiter: [lex.string]

bool is_word_byte(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Comment> run() {
    while (at_ < text_.size()) step();
    mark_alone();
    return std::move(comments_);
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    char c = peek();
    if (c == '/' && peek(1) == '/') return line_comment();
    if (c == '/' && peek(1) == '*') return block_comment();
    if (c == '"') return quoted('"');
    if (c == '\'') return quoted('\'');
    if (is_word_byte(c)) return word();
    if (c == '#' && line_has_no_code_) return directive();
    if (c == '\n')
      line_has_no_code_ = true;
    else if (!std::isspace(static_cast<unsigned char>(c)))
      line_has_no_code_ = false;
    ++at_;
  }

  // The length of a line splice (`\` + newline) here; 0: none.
  size_t splice() const {
    if (peek() != '\\') return 0;
    if (peek(1) == '\n') return 2;
    return peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
  }

  void line_comment() {
    size_t begin = at_;
    while (at_ < text_.size() && peek() != '\n') at_ += std::max<size_t>(1, splice());
    size_t end = std::min(at_, text_.size());
    if (end > begin && text_[end - 1] == '\r') --end;
    comments_.push_back({begin, end - begin});
  }

  void block_comment() {
    size_t begin = at_;
    size_t close = text_.find("*/", at_ + 2);
    at_ = close == std::string_view::npos ? text_.size() : close + 2;
    comments_.push_back({begin, at_ - begin});
  }

  void quoted(char quote) {
    line_has_no_code_ = false;
    for (++at_; at_ < text_.size() && peek() != '\n'; ++at_) {
      if (size_t skip = splice())
        at_ += skip - 1;
      else if (peek() == '\\')
        ++at_;
      else if (peek() == quote) {
        ++at_;
        return;
      }
    }
  }

  // Skips a name or a number. A name may end in the prefix of a raw string; digit separators do not begin character
  // literals.
  void word() {
    line_has_no_code_ = false;
    size_t begin = at_;
    bool number = std::isdigit(static_cast<unsigned char>(peek()));
    while (is_word_byte(peek()) || (number && peek() == '\'' && is_word_byte(peek(1)))) ++at_;
    std::string_view name = text_.substr(begin, at_ - begin);
    bool raw = name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R";
    if (raw && peek() == '"') raw_string();
  }

  void raw_string() {
    size_t open = text_.find('(', at_);
    if (open == std::string_view::npos || open - at_ - 1 > kLongestDelimiter) return quoted('"');
    std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    size_t end = text_.find(close, open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  // `#include <a//b>` contains no comment, and `#error don't` no literal that matters (literals end with their line).
  void directive() {
    line_has_no_code_ = false;
    for (++at_; peek() == ' ' || peek() == '\t';) ++at_;
    size_t begin = at_;
    while (is_word_byte(peek())) ++at_;
    if (!text_.substr(begin, at_ - begin).starts_with("include")) return;
    while (peek() == ' ' || peek() == '\t') ++at_;
    if (peek() != '<') return;
    while (at_ < text_.size() && peek() != '\n' && peek() != '>') ++at_;
  }

  void mark_alone() {
    for (size_t i = 0; i < comments_.size(); ++i)
      comments_[i].alone =
          blank_before(i, comments_[i].offset) && blank_after(i, comments_[i].offset + comments_[i].length);
  }

  // Whether only white space and other comments are between the start of the line and `at`.
  bool blank_before(size_t index, size_t at) const {
    while (at > 0 && text_[at - 1] != '\n') {
      if (index > 0 && comments_[index - 1].offset + comments_[index - 1].length == at)
        at = comments_[--index].offset;
      else if (!std::isspace(static_cast<unsigned char>(text_[--at])))
        return false;
    }
    return true;
  }

  bool blank_after(size_t index, size_t at) const {
    while (at < text_.size() && text_[at] != '\n') {
      if (index + 1 < comments_.size() && comments_[index + 1].offset == at)
        at += comments_[++index].length;
      else if (!std::isspace(static_cast<unsigned char>(text_[at++])))
        return false;
    }
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  bool line_has_no_code_ = true;
  std::vector<Comment> comments_;
};

}  // namespace

std::vector<Comment> find_comments(std::string_view text) { return Lexer(text).run(); }

}  // namespace syncsniff::output
