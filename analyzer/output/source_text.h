// Source files as bytes, lines and columns, read once each and kept.
// Knows nothing of C++; offsets and columns are bytes unless a name says otherwise.
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
  // Lines count from 1. A final newline ends the last line; it starts no further one.
  unsigned line_count() const { return static_cast<unsigned>(starts_.size()); }
  // Without its line ending; empty when there is no such line.
  std::string_view line(unsigned number) const;
  // Offset of the first byte of the line; the text's size past the last line.
  size_t line_start(unsigned number) const;
  // Line that holds this offset (the last line for offsets past the end).
  unsigned line_at(size_t offset) const;
  // Column counted in UTF-16 code units from 1, as SARIF and LSP count, for a byte column of that line.
  unsigned utf16_column(unsigned line, unsigned byte_column) const;

 private:
  std::string text_;
  std::vector<size_t> starts_;
};

class SourceCache {
 public:
  // Relative paths are looked up below `root`; empty: the working directory. `texts` are taken in place of files.
  explicit SourceCache(std::string root = "", SourceTexts texts = {})
      : root_(std::move(root)), texts_(std::move(texts)) {}

  // nullptr when the file cannot be read. The pointer lives as long as the cache.
  const SourceText* get(const std::string& path);
  std::string absolute(const std::string& path) const;

 private:
  std::string root_;
  SourceTexts texts_;
  std::map<std::string, std::optional<SourceText>> files_;
};

// Absolute, links resolved as far as the path exists: two spellings of one file are the same.
std::string real_path(const std::string& file);

// The whole file, or nothing when it cannot be read as one.
std::optional<std::string> read_whole_file(const std::string& path);

}  // namespace syncsniff::output
