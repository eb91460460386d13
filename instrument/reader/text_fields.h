// The two visitors of record_fields.h: one writes `name=value`, the other reads it. Fields that are zero are not
// written, and absent fields are zero.
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "instrument/reader/record_fields.h"

namespace syncsniff::reader {

std::string quote(std::string_view text);  // "..." with \n \" \\, and \xHH for each byte that must not be printed
std::string to_hex(std::string_view bytes);
std::string from_hex(std::string_view digits);  // throws std::invalid_argument

class FieldWriter {
 public:
  explicit FieldWriter(std::string& line) : line_(line) {}
  template <class T>
  void num(const char* name, const T& field) {
    if (field != 0) text(name, std::to_string(field));
  }
  template <class T>
  void hex(const char* name, const T& field) {
    char digits[24];
    auto end = std::to_chars(digits, digits + sizeof digits, static_cast<uint64_t>(field), 16).ptr;
    if (field != 0) text(name, "0x" + std::string(digits, end));
  }
  void word(const char* name, uint8_t field, Words words) {
    if (field != 0) text(name, field < words.size() ? words[field] : std::to_string(field));
  }
  void flags(const char* name, uint8_t field, Words words) {
    std::string list;
    for (size_t i = 0; i < words.size(); ++i)
      if (field & (1u << i)) list += (list.empty() ? "" : ",") + std::string(words[i]);
    if (field != 0) text(name, list);
  }
  void text(const char* name, const std::string& value) { line_ += ' ' + std::string(name) + '=' + value; }

 private:
  std::string& line_;
};

// `keyword name=value ...`; a value may be quoted; `#` outside quotes starts a comment. One bare word may follow the
// keyword (`chunk empty`).
class FieldReader {
 public:
  explicit FieldReader(std::string_view line);
  const std::string& keyword() const { return keyword_; }

  template <class T>
  void num(const char* name, T& field) {
    std::string value;
    if (!take(name, &value)) return;
    const bool hex = value.size() > 2 && value[0] == '0' && value[1] == 'x';
    const char* first = value.data() + (hex ? 2 : 0);
    const char* last = value.data() + value.size();
    auto [end, error] = std::from_chars(first, last, field, hex ? 16 : 10);
    if (error != std::errc() || end != last) bad(name, value);
  }
  template <class T>
  void hex(const char* name, T& field) {
    num(name, field);
  }
  void word(const char* name, uint8_t& field, Words words);
  void flags(const char* name, uint8_t& field, Words words);
  bool take(const char* name, std::string* value);  // false: the field is absent
  bool take_word(std::string_view word);            // false: another word or none follows the keyword
  void finish() const;                              // throws if a field or the word was not taken

 private:
  [[noreturn]] static void bad(const char* name, const std::string& value) {
    throw std::invalid_argument(std::string(name) + "=" + value + ": not a value of this field");
  }
  std::string keyword_, word_;
  std::map<std::string, std::string, std::less<>> fields_;
};

}  // namespace syncsniff::reader
