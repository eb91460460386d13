#include "instrument/reader/python_lines.h"

#include <cstddef>

namespace syncsniff::reader {
namespace {

constexpr uint16_t kFirstVersion = 0x030b;
constexpr uint32_t kCodeUnitBytes = 2;
// Kinds of entry: below 10 a short form on the same line; 10 to 12 a one-line form; then the rest.
constexpr unsigned kOneLineFirst = 10, kNoColumns = 13, kLong = 14, kNoLocation = 15;

class TableReader {
 public:
  explicit TableReader(std::string_view table) : table_(table) {}
  bool at_entry() const { return at_ < table_.size() && (byte_at(at_) & 0x80) != 0; }
  unsigned byte() { return at_ < table_.size() ? byte_at(at_++) : 0; }
  unsigned varint() {
    unsigned value = 0;
    for (unsigned shift = 0; at_ < table_.size() && shift < 30; shift += 6) {
      const unsigned part = byte();
      value |= (part & 63) << shift;
      if ((part & 64) == 0) break;
    }
    return value;
  }
  int signed_varint() {
    const unsigned value = varint();
    const int magnitude = static_cast<int>(value >> 1);
    return (value & 1) != 0 ? -magnitude : magnitude;
  }

 private:
  unsigned byte_at(size_t at) const { return static_cast<unsigned char>(table_[at]); }
  std::string_view table_;
  size_t at_ = 0;
};

// Reads the rest of an entry; returns by how many lines it advances.
int line_delta(unsigned kind, TableReader& reader) {
  if (kind == kNoLocation) return 0;
  if (kind == kNoColumns) return reader.signed_varint();
  if (kind == kLong) {
    const int delta = reader.signed_varint();
    for (int i = 0; i < 3; ++i) reader.varint();  // end line, column, end column
    return delta;
  }
  reader.byte();
  if (kind < kOneLineFirst) return 0;
  reader.byte();
  return static_cast<int>(kind - kOneLineFirst);
}

}  // namespace

int python_line(std::string_view line_table, int first_line, uint16_t version, uint32_t offset) {
  if (version < kFirstVersion) return first_line;
  const uint32_t wanted = offset / kCodeUnitBytes;
  TableReader reader(line_table);
  int64_t line = first_line;
  uint32_t unit = 0;
  while (reader.at_entry()) {
    const unsigned head = reader.byte();
    const unsigned kind = (head >> 3) & 15, units = (head & 7) + 1;
    line += line_delta(kind, reader);
    if (wanted >= unit && wanted < unit + units) {
      const bool sane = kind != kNoLocation && line > 0 && line < 1 << 30;
      return sane ? static_cast<int>(line) : first_line;
    }
    unit += units;
  }
  return first_line;
}

}  // namespace syncsniff::reader
