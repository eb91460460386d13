#include "analyzer/output/source_text.h"

#include <algorithm>
#include <filesystem>

#include "rules/regular_file.h"

namespace syncsniff::output {

namespace fs = std::filesystem;

SourceText::SourceText(std::string text) : text_(std::move(text)) {
  for (size_t start = 0; start < text_.size();) {
    starts_.push_back(start);
    size_t newline = text_.find('\n', start);
    start = newline == std::string::npos ? text_.size() : newline + 1;
  }
}

std::string_view SourceText::line(unsigned number) const {
  if (number == 0 || number > line_count()) return {};
  size_t begin = line_start(number), end = line_start(number + 1);
  if (end > begin && text_[end - 1] == '\n') --end;
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

size_t SourceText::line_start(unsigned number) const {
  if (number == 0) return 0;
  return number > line_count() ? text_.size() : starts_[number - 1];
}

unsigned SourceText::line_at(size_t offset) const {
  auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return std::max<unsigned>(1, static_cast<unsigned>(next - starts_.begin()));
}

unsigned SourceText::utf16_column(unsigned line_number, unsigned byte_column) const {
  std::string_view bytes = line(line_number);
  unsigned column = 1;
  size_t end = std::min<size_t>(bytes.size(), byte_column > 0 ? byte_column - 1 : 0);
  for (size_t i = 0; i < end; ++i) {
    auto byte = static_cast<unsigned char>(bytes[i]);
    if ((byte & 0xC0) == 0x80) continue;  // a continuation byte of a character already counted
    column += byte >= 0xF0 ? 2 : 1;       // four bytes in UTF-8 are a surrogate pair in UTF-16
  }
  // Columns past the end of the line (in a file that has changed since) keep their distance from it.
  if (byte_column > bytes.size() + 1) column += byte_column - 1 - static_cast<unsigned>(bytes.size());
  return column;
}

const SourceText* SourceCache::get(const std::string& path) {
  auto [entry, is_new] = files_.try_emplace(path);
  std::optional<SourceText>& source = entry->second;
  if (!is_new) return source ? &*source : nullptr;
  std::error_code error;
  const auto text = texts_.empty() ? texts_.end() : texts_.find(fs::weakly_canonical(absolute(path), error).string());
  if (text != texts_.end()) {
    source.emplace(text->second);
  } else {
    if (auto text = read_whole_file(absolute(path))) source.emplace(std::move(*text));
  }
  return source ? &*source : nullptr;
}

std::string SourceCache::absolute(const std::string& path) const {
  std::filesystem::path whole = path;
  if (whole.is_relative())
    whole = (root_.empty() ? std::filesystem::current_path() : std::filesystem::path(root_)) / whole;
  return whole.lexically_normal().string();
}

std::string real_path(const std::string& file) {
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(file), error);
  return error ? file : path.string();
}

std::optional<std::string> read_whole_file(const std::string& path) {
  std::string ignored;
  return read_regular_file(path, ignored);
}

}  // namespace syncsniff::output
