// Reads maps of a YAML table strictly: each key is looked up by name, and a key that was never looked up is an error.
// All errors are DataError with file, line and key.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/yaml_tree.h"

namespace syncsniff {

[[noreturn]] void fail_at(const YamlView& view, std::string_view key, const std::string& problem);

std::string read_text(const YamlView& value, std::string_view key);  // a scalar that is not empty
bool read_bool(const YamlView& value, std::string_view key);         // true | false
int read_int(const YamlView& value, std::string_view key);
double read_number(const YamlView& value, std::string_view key);
std::vector<std::string> read_text_list(const YamlView& value, std::string_view key);
// Throws if the scalar is not one of `words`; the message lists them.
std::string read_word(const YamlView& value, std::string_view key, std::initializer_list<const char*> words);

// Throws unless the value is a map of scalar keys without duplicates. `what` names it in messages.
void expect_map(const YamlView& value, std::string_view what);

template <typename Enum>
using EnumWords = std::initializer_list<std::pair<const char*, Enum>>;

template <typename Enum>
Enum read_enum(const YamlView& value, std::string_view key, EnumWords<Enum> words) {
  std::string known;
  for (const auto& [word, meaning] : words) {
    if (value.kind() == YamlKind::kScalar && value.text() == word) return meaning;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  const std::string found = value.kind() == YamlKind::kScalar ? "'" + std::string(value.text()) + "'" : "this";
  fail_at(value, key, found + " is none of: " + known);
}

// Reads one map. The constructor throws if the value is no map or has a duplicate key.
class SchemaReader {
 public:
  // `what` names the map in messages without a better key ("the file", a function's name).
  SchemaReader(const YamlView& map, std::string what);

  std::optional<YamlView> optional(const char* key);
  YamlView required(const char* key);
  // Throws for the first key that was never looked up.
  void finish() const;
  // Throws if this pair's key was never looked up.
  void check_looked_up(uint32_t pair) const;

  const YamlView& view() const { return map_; }
  const std::string& what() const { return what_; }

 private:
  YamlView map_;
  std::string what_;
  std::vector<bool> looked_up_;  // by pair of the map: it was looked up
  std::vector<const char*> known_;
};

}  // namespace syncsniff
