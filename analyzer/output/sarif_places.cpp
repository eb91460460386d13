#include "analyzer/output/sarif_places.h"

#include <cctype>

namespace syncsniff::output {
namespace {

constexpr char kHex[] = "0123456789ABCDEF";

struct Position {
  unsigned line, column;  // column in UTF-16 code units
};

Position position(const SourceText& source, size_t offset) {
  const std::string& text = source.text();
  bool after_last_newline = offset == text.size() && (text.empty() || text.back() == '\n');
  if (after_last_newline) return {source.line_count() + 1, 1};
  unsigned line = source.line_at(offset);
  return {line, source.utf16_column(line, static_cast<unsigned>(offset - source.line_start(line)) + 1)};
}

}  // namespace

std::string encode_path(const std::string& path) {
  std::string result;
  for (char c : path) {
    auto byte = static_cast<unsigned char>(c);
    bool plain = byte < 0x80 && (std::isalnum(byte) || c == '-' || c == '.' || c == '_' || c == '~' || c == '/');
    if (plain)
      result += c;
    else
      (result += '%') += kHex[byte >> 4], result += kHex[byte & 15];
  }
  return result;
}

Json artifact_location(const std::string& file, const SourceCache& sources) {
  std::string whole = sources.absolute(file), root = sources.absolute(".");
  if (root.empty() || root.back() != '/') root += '/';
  Json place;
  if (whole.starts_with(root)) {
    place["uri"] = encode_path(whole.substr(root.size()));
    place["uriBaseId"] = "SRCROOT";
  } else {
    place["uri"] = "file://" + encode_path(whole);
  }
  return place;
}

std::optional<Json> region(const Location& location, SourceCache& sources) {
  if (location.line == 0) return std::nullopt;
  const SourceText* source = sources.get(location.file);
  auto column = [&](unsigned line, unsigned byte_column) {
    return source ? source->utf16_column(line, byte_column) : byte_column;
  };
  Json place;
  place["startLine"] = location.line;
  if (location.column == 0) return place;
  place["startColumn"] = column(location.line, location.column);
  bool has_end =
      location.end_column > 0 && (location.end_line > location.line ||
                                  (location.end_line == location.line && location.end_column > location.column));
  if (!has_end) return place;
  place["endLine"] = location.end_line;
  place["endColumn"] = column(location.end_line, location.end_column);
  return place;
}

Json physical_location(const Location& location, SourceCache& sources) {
  Json place;
  place["artifactLocation"] = artifact_location(location.file, sources);
  if (auto range = region(location, sources)) place["region"] = std::move(*range);
  return place;
}

std::optional<Json> byte_region(const SourceText& source, size_t offset, size_t length) {
  if (offset > source.text().size() || length > source.text().size() - offset) return std::nullopt;
  Position begin = position(source, offset), end = position(source, offset + length);
  Json place;
  place["startLine"] = begin.line;
  place["startColumn"] = begin.column;
  place["endLine"] = end.line;
  place["endColumn"] = end.column;
  return place;
}

}  // namespace syncsniff::output
