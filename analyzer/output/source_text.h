// Source files as bytes, lines and columns; each file is read once and cached. Knows nothing of C++. Offsets and
// columns are in bytes unless a name says otherwise.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/source_texts.h"

namespace syncsniff::output {

class SourceText {
 public:
  explicit SourceText(std::string text);

  const std::string& text() const { return text_; }
  // Lines count from 1. A final newline ends the last line and does not start another.
  unsigned line_count() const { return static_cast<unsigned>(starts_.size()); }
  // The line without its line ending; empty if there is no such line.
  std::string_view line(unsigned number) const;
  // Offset of the first byte of the line; past the last line, the size of the text.
  size_t line_start(unsigned number) const;
  // The line that contains this offset (the last line for offsets past the end).
  unsigned line_at(size_t offset) const;
  // The column in UTF-16 code units from 1, as SARIF and LSP count, for a byte column of that line.
  unsigned utf16_column(unsigned line, unsigned byte_column) const;

 private:
  std::string text_;
  std::vector<size_t> starts_;
};

class SourceCache {
 public:
  // Relative paths are looked up below `root`; empty: the working directory. `texts` replace the content of files.
  explicit SourceCache(std::string root = "", SourceTexts texts = {})
      : root_(std::move(root)), texts_(std::move(texts)) {}

  // nullptr if the file cannot be read. The pointer is valid as long as the cache exists.
  const SourceText* get(const std::string& path);
  std::string absolute(const std::string& path) const;

 private:
  std::string root_;
  SourceTexts texts_;
  std::map<std::string, std::optional<SourceText>> files_;
};

// The absolute path, with links resolved as far as the path exists, so that two spellings of one file are equal.
std::string real_path(const std::string& file);

// The content of the file; nothing if it is no regular file or cannot be read.
std::optional<std::string> read_whole_file(const std::string& path);

}  // namespace syncsniff::output
