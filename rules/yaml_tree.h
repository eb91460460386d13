// A YAML file as a flat tree that keeps the line of each node for error messages. It is parsed by yaml-cpp, or read
// from the folder's tables.bin if that was compiled from exactly the same text. It has no schema; schema_reader.h
// checks the meaning of keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncsniff {

enum class YamlKind : uint8_t { kNull, kScalar, kSequence, kMap };

// Has a fixed size and no pointers, since it is written to tables.bin as it is in memory.
struct YamlNode {
  YamlKind kind = YamlKind::kNull;
  uint8_t reserved = 0;
  uint16_t column = 0;  // from 1; 0: columns were not requested
  uint32_t line = 0;    // from 1
  uint32_t text_offset = 0, text_bytes = 0;
  uint32_t first_child = 0;  // children are consecutive and after their parent; a map's are key, value, key, value...
  uint32_t child_count = 0;
};
static_assert(sizeof(YamlNode) == 24);

class YamlDocument {
 public:
  // Throws DataError: a syntax error with its line, an alias, or a file with no document or several. Columns are
  // recorded for files that users write and edit.
  enum class Marks { kLines, kLinesAndColumns };
  static YamlDocument parse(const std::string& file, const std::string& text, Marks marks = Marks::kLines);
  // For untrusted input: throws std::runtime_error if an offset is out of range.
  YamlDocument(std::string file, std::string text, std::vector<YamlNode> nodes);

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }
  const std::vector<YamlNode>& nodes() const { return nodes_; }

 private:
  std::string file_;
  std::string text_;             // all scalars, concatenated
  std::vector<YamlNode> nodes_;  // [0] is the root
};

// A node, accessed through its document, which must outlive it.
class YamlView {
 public:
  YamlView(const YamlDocument& document, uint32_t index) : document_(&document), index_(index) {}
  explicit YamlView(const YamlDocument& document) : YamlView(document, 0) {}

  YamlKind kind() const { return node().kind; }
  int line() const { return static_cast<int>(node().line); }
  int column() const { return node().column; }
  const std::string& file() const { return document_->file(); }
  std::string_view text() const {
    return std::string_view(document_->text()).substr(node().text_offset, node().text_bytes);
  }
  // The number of elements of a sequence, or of pairs of a map.
  uint32_t size() const { return kind() == YamlKind::kMap ? node().child_count / 2 : node().child_count; }
  YamlView element(uint32_t i) const { return {*document_, node().first_child + i}; }
  YamlView key(uint32_t i) const { return {*document_, node().first_child + 2 * i}; }
  YamlView value(uint32_t i) const { return {*document_, node().first_child + 2 * i + 1}; }

 private:
  const YamlNode& node() const { return document_->nodes()[index_]; }
  const YamlDocument* document_;
  uint32_t index_;
};

// The *.yaml files of a folder, sorted by name. Throws DataError for a folder or file that cannot be read.
std::vector<YamlDocument> load_yaml_folder(const std::string& directory);

// Writes <directory>/tables.bin, the parsed form of the folder's YAML: parsing the 250 KB of tables with yaml-cpp takes
// 40 ms, and a pre-commit hook loads them at each start. A document in it is used only while its source text is
// unchanged.
void compile_yaml_folder(const std::string& directory);

}  // namespace syncsniff
