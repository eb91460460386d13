#include "rules/schema_reader.h"

#include <charconv>
#include <unordered_map>

#include "rules/data_error.h"
#include "rules/nearest_name.h"

namespace syncsniff {
namespace {

const char* name_of(YamlKind kind) {
  switch (kind) {
    case YamlKind::kNull:
      return "nothing";
    case YamlKind::kScalar:
      return "a scalar";
    case YamlKind::kSequence:
      return "a list";
    case YamlKind::kMap:
      return "a map";
  }
  return "nothing";
}

void expect(const YamlView& value, YamlKind kind, std::string_view key) {
  if (value.kind() == kind) return;
  fail_at(value, key, std::string("must be ") + name_of(kind) + ", is " + name_of(value.kind()));
}

template <typename Number>
Number parse_number(const YamlView& value, std::string_view key, const char* kind) {
  expect(value, YamlKind::kScalar, key);
  Number number{};
  const std::string_view text = value.text();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail_at(value, key, "'" + std::string(text) + "' is not " + kind);
  }
  return number;
}

}  // namespace

void fail_at(const YamlView& view, std::string_view key, const std::string& problem) {
  throw DataError(view.file(), view.line(), view.column(), std::string(key), problem);
}

std::string read_text(const YamlView& value, std::string_view key) {
  expect(value, YamlKind::kScalar, key);
  if (value.text().empty()) fail_at(value, key, "is empty");
  return std::string(value.text());
}

bool read_bool(const YamlView& value, std::string_view key) {
  return read_enum<bool>(value, key, {{"true", true}, {"false", false}});
}

int read_int(const YamlView& value, std::string_view key) { return parse_number<int>(value, key, "a whole number"); }

double read_number(const YamlView& value, std::string_view key) { return parse_number<double>(value, key, "a number"); }

std::vector<std::string> read_text_list(const YamlView& value, std::string_view key) {
  expect(value, YamlKind::kSequence, key);
  std::vector<std::string> list;
  for (uint32_t i = 0; i < value.size(); ++i) list.push_back(read_text(value.element(i), key));
  return list;
}

std::string read_word(const YamlView& value, std::string_view key, std::initializer_list<const char*> words) {
  const std::string text = read_text(value, key);
  std::string known;
  for (const char* word : words) {
    if (text == word) return text;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  fail_at(value, key, "'" + text + "' is none of: " + known);
}

void expect_map(const YamlView& value, std::string_view what) {
  expect(value, YamlKind::kMap, what);
  std::unordered_map<std::string_view, int> line_of;
  for (uint32_t i = 0; i < value.size(); ++i) {
    const YamlView key = value.key(i);
    expect(key, YamlKind::kScalar, what);
    const auto [first, fresh] = line_of.emplace(key.text(), key.line());
    if (!fresh) fail_at(key, key.text(), "given twice, first in line " + std::to_string(first->second));
  }
}

SchemaReader::SchemaReader(const YamlView& map, std::string what) : map_(map), what_(std::move(what)) {
  expect_map(map_, what_);
  looked_up_.resize(map_.size());
}

std::optional<YamlView> SchemaReader::optional(const char* key) {
  known_.push_back(key);
  for (uint32_t i = 0; i < map_.size(); ++i) {
    if (map_.key(i).text() != key) continue;
    looked_up_[i] = true;
    return map_.value(i);
  }
  return std::nullopt;
}

YamlView SchemaReader::required(const char* key) {
  if (std::optional<YamlView> value = optional(key)) return *value;
  fail_at(map_, key, "is missing from " + what_);
}

void SchemaReader::finish() const {
  for (uint32_t i = 0; i < map_.size(); ++i) check_looked_up(i);
}

void SchemaReader::check_looked_up(uint32_t pair) const {
  if (looked_up_[pair]) return;
  std::string known;
  for (const char* key : known_) known += (known.empty() ? "" : ", ") + std::string(key);
  const std::string nearest =
      nearest_name(std::string(map_.key(pair).text()), std::vector<std::string>(known_.begin(), known_.end()));
  fail_at(
      map_.key(pair), map_.key(pair).text(),
      "unknown key in " + what_ + (nearest.empty() ? "; " : "; did you mean '" + nearest + "'? ") + "known: " + known);
}

}  // namespace syncsniff
