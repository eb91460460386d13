#include "instrument/reader/text_fields.h"

#include "rules/untrusted_text.h"

namespace syncsniff::reader {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  throw std::invalid_argument(std::string("'") + c + "' is not a hexadecimal digit");
}

// Reads the quoted value whose opening quote is at `at`; moves `at` past the closing quote.
std::string unquote(std::string_view line, size_t& at) {
  std::string text;
  for (++at; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] != '\\') {
      text += line[at];
      continue;
    }
    if (++at >= line.size()) break;
    switch (line[at]) {
      case 'n':
        text += '\n';
        break;
      case 'x':
        if (at + 2 >= line.size()) throw std::invalid_argument("\\x needs two digits");
        text += static_cast<char>(digit(line[at + 1]) * 16 + digit(line[at + 2]));
        at += 2;
        break;
      default:
        text += line[at];
    }
  }
  if (at >= line.size()) throw std::invalid_argument("a quoted value is not closed");
  ++at;
  return text;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (size_t at = 0; at < text.size();) {
    const Printable next = printable_at(text, at);
    const std::string_view bytes = text.substr(at, next.bytes);
    at += next.bytes;
    if (bytes == "\"" || bytes == "\\")
      (out += '\\') += bytes;
    else if (bytes == "\n")
      out += "\\n";
    else if (!next.escaped)
      out += bytes;
    else  // byte by byte, regardless of the encoding: undump restores the same bytes
      for (unsigned char byte : bytes) ((out += "\\x") += kDigits[byte >> 4]) += kDigits[byte & 15];
  }
  return out + '"';
}

std::string to_hex(std::string_view bytes) {
  std::string out;
  for (unsigned char byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) throw std::invalid_argument("an odd number of hexadecimal digits");
  std::string out;
  for (size_t i = 0; i < digits.size(); i += 2) out += static_cast<char>(digit(digits[i]) * 16 + digit(digits[i + 1]));
  return out;
}

// Reads the value that begins at `at` and moves `at` past it.
std::string value_at(std::string_view line, size_t& at) {
  if (at < line.size() && line[at] == '"') return unquote(line, at);
  const size_t from = at;
  while (at < line.size() && !is_space(line[at])) ++at;
  return std::string(line.substr(from, at - from));
}

FieldReader::FieldReader(std::string_view line) {
  size_t at = 0;
  while (at < line.size()) {
    if (is_space(line[at])) {
      ++at;
      continue;
    }
    if (line[at] == '#') break;
    const size_t start = at;
    while (at < line.size() && !is_space(line[at]) && line[at] != '=') ++at;
    std::string name(line.substr(start, at - start));
    if (at >= line.size() || line[at] != '=') {
      if (keyword_.empty())
        keyword_ = std::move(name);
      else if (word_.empty())
        word_ = std::move(name);
      else
        throw std::invalid_argument("'" + name + "': expected name=value");
      continue;
    }
    ++at;
    if (!fields_.emplace(name, value_at(line, at)).second) throw std::invalid_argument(name + " is given twice");
  }
}

bool FieldReader::take(const char* name, std::string* value) {
  auto it = fields_.find(std::string_view(name));
  if (it == fields_.end()) return false;
  *value = std::move(it->second);
  fields_.erase(it);
  return true;
}

void FieldReader::word(const char* name, uint8_t& field, Words words) {
  auto it = fields_.find(std::string_view(name));
  if (it == fields_.end()) return;
  for (size_t i = 0; i < words.size(); ++i)
    if (it->second == words[i]) {
      field = static_cast<uint8_t>(i);
      fields_.erase(it);
      return;
    }
  num(name, field);
}

void FieldReader::flags(const char* name, uint8_t& field, Words words) {
  std::string list;
  if (!take(name, &list)) return;
  for (size_t at = 0; at <= list.size();) {
    const size_t comma = std::min(list.find(',', at), list.size());
    const std::string word = list.substr(at, comma - at);
    size_t bit = 0;
    while (bit < words.size() && word != words[bit]) ++bit;
    if (bit == words.size()) bad(name, word);
    field |= static_cast<uint8_t>(1u << bit);
    at = comma + 1;
  }
}

bool FieldReader::take_word(std::string_view word) {
  if (word_ != word) return false;
  word_.clear();
  return true;
}

void FieldReader::finish() const {
  if (!word_.empty()) throw std::invalid_argument("'" + word_ + "': expected name=value");
  if (!fields_.empty())
    throw std::invalid_argument("'" + fields_.begin()->first + "' is not a field of '" + keyword_ + "'");
}

}  // namespace syncsniff::reader
