#include "instrument/sampler/python_codes.h"

#include <utility>

namespace syncsniff::sampler {
namespace {

// Limit for programs that create code forever, such as notebooks: code beyond it has no name. An entry is mostly 1 KB.
constexpr size_t kMostCodes = 20000;
constexpr int64_t kMostUnits = 1 << 24;  // instruction units in one code object

void put_utf8(uint32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 63));
  } else {
    if (c < 0x10000) {
      out += static_cast<char>(0xe0 | (c >> 12));
    } else {
      out += static_cast<char>(0xf0 | ((c >> 18) & 7));
      out += static_cast<char>(0x80 | ((c >> 12) & 63));
    }
    out += static_cast<char>(0x80 | ((c >> 6) & 63));
    out += static_cast<char>(0x80 | (c & 63));
  }
}

}  // namespace

uint32_t PythonCodeTable::number_of(PythonCode code, int64_t units) {
  const std::string identity = code.file + '\0' + code.name + '\0' + std::to_string(code.first_line) + '\0' +
                               std::to_string(units) + '\0' + code.line_table;
  if (const auto known = by_identity_.find(identity); known != by_identity_.end()) return known->second;
  if (codes_.size() == kMostCodes) return 0;
  codes_.push_back(std::move(code));
  bytes_.push_back(static_cast<uint64_t>(units) * trace::kPythonUnitBytes);
  return by_identity_[identity] = static_cast<uint32_t>(codes_.size());
}

bool PythonCodes::read_header(Snapshot& snapshot, uint64_t code, Header& header) const {
  const trace::PythonLayout& layout = board_.python;
  return snapshot.load(code + trace::kPythonType, header.type) && header.type == board_.python_code_type &&
         snapshot.load(code + trace::kPythonSize, header.units) && header.units >= 0 && header.units < kMostUnits &&
         snapshot.load(code + trace::kPythonFileName, header.file) &&
         snapshot.load(code + trace::kPythonQualifiedName, header.name) &&
         snapshot.load(code + layout.code_linetable, header.line_table) &&
         snapshot.load(code + layout.code_first_line, header.first_line);
}

uint32_t PythonCodes::number_of(Snapshot& snapshot, uint64_t code) {
  Header header;
  if (!read_header(snapshot, code, header)) return 0;
  const auto known = at_.find(code);
  if (known != at_.end() && known->second.header == header) return known->second.number;
  const uint32_t number = read_code(header);
  if (number != 0) at_[code] = {header, number};
  return number;
}

uint32_t PythonCodes::read_code(const Header& header) {
  PythonCode code;
  code.first_line = header.first_line;
  if (!read_text(header.file, code.file) || !read_text(header.name, code.name)) return 0;
  read_bytes(header.line_table, code.line_table);
  return table_.number_of(std::move(code), header.units);
}

bool PythonCodes::read_text(uint64_t object, std::string& text) {
  int64_t length = 0;
  uint32_t state = 0;
  if (object == 0 || !memory_.read(object + trace::kPythonTextLength, &length, sizeof length) ||
      !memory_.read(object + trace::kPythonTextState, &state, sizeof state))
    return false;
  const unsigned width = (state >> 2) & 7;
  const bool is_compact = ((state >> 5) & 1) != 0, is_ascii = ((state >> 6) & 1) != 0;
  if (!is_compact || length < 0 || length > trace::kPythonLongestName) return false;
  if (width != 1 && width != 2 && width != 4) return false;
  std::string data(static_cast<size_t>(length) * width, '\0');
  const uint64_t at = object + (is_ascii ? board_.python.ascii_data : board_.python.compact_data);
  if (!data.empty() && !memory_.read(at, data.data(), data.size())) return false;
  if (is_ascii) return text = std::move(data), true;
  text.clear();
  for (size_t i = 0; i < data.size(); i += width) {
    uint32_t c = 0;
    std::memcpy(&c, &data[i], width);
    put_utf8(c, text);
  }
  return true;
}

bool PythonCodes::read_bytes(uint64_t object, std::string& bytes) {
  int64_t length = 0;
  if (object == 0 || !memory_.read(object + trace::kPythonSize, &length, sizeof length)) return false;
  if (length < 0 || length >= trace::kPythonLongestLineTable) return false;
  std::string data(static_cast<size_t>(length), '\0');
  if (length != 0 && !memory_.read(object + trace::kPythonBytesData, data.data(), data.size())) return false;
  bytes = std::move(data);
  return true;
}

}  // namespace syncsniff::sampler
