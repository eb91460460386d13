#include "instrument/reader/record_line.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "instrument/reader/text_fields.h"

namespace syncsniff::reader {
namespace {

using trace::RecordType;

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::vector<std::string> split(const std::string& list, char separator) {
  std::vector<std::string> items;
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(separator, at), list.size());
    items.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return items;
}

uint64_t to_number(const std::string& text) {
  size_t used = 0;
  uint64_t value = 0;
  try {
    value = std::stoull(text, &used, 0);
  } catch (const std::exception&) {
    used = 0;
  }
  if (text.empty() || used != text.size()) throw std::invalid_argument("'" + text + "' is not a number");
  return value;
}

// Converts the payload to text and back. The counts in the record follow from the payload, so the text does not repeat
// them.
template <class Record>
struct Payload {
  static void write(const Record&, const std::string&, FieldWriter&) {}
  static void read(Record&, std::string&, FieldReader&) {}
};

template <>
struct Payload<trace::StackRecord> {
  static void write(const trace::StackRecord& r, const std::string& payload, FieldWriter& writer) {
    if (payload.size() != r.native_frames * 8u + r.python_frames * 8u) return;
    std::string native, python;
    for (size_t i = 0; i < r.native_frames; ++i) {
      uint64_t address;
      std::memcpy(&address, payload.data() + i * 8, 8);
      native += (i ? ",0x" : "0x") + hex_digits(address);
    }
    for (size_t i = r.native_frames; i < size_t{r.native_frames} + r.python_frames; ++i) {
      uint32_t frame[2];
      std::memcpy(frame, payload.data() + i * 8, 8);
      python += (python.empty() ? "" : ",") + std::to_string(frame[0]) + ":" + std::to_string(frame[1]);
    }
    if (!native.empty()) writer.text("native", native);
    if (!python.empty()) writer.text("python", python);
  }
  static void read(trace::StackRecord& r, std::string& payload, FieldReader& reader) {
    std::string list;
    if (reader.take("native", &list))
      for (const auto& item : split(list, ',')) {
        append(payload, to_number(item));
        ++r.native_frames;
      }
    if (reader.take("python", &list))
      for (const auto& item : split(list, ',')) {
        const size_t colon = item.find(':');
        if (colon == std::string::npos) throw std::invalid_argument("python=" + item + ": expected code:offset");
        append(payload, static_cast<uint32_t>(to_number(item.substr(0, colon))));
        append(payload, static_cast<uint32_t>(to_number(item.substr(colon + 1))));
        ++r.python_frames;
      }
    r.payload_bytes = static_cast<uint32_t>(payload.size());
  }
  static std::string hex_digits(uint64_t value) {
    char digits[20];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value, 16).ptr);
  }
};

template <>
struct Payload<trace::ModuleRecord> {
  static void write(const trace::ModuleRecord& r, const std::string& payload, FieldWriter& writer) {
    writer.text("build_id", to_hex(std::string_view(payload).substr(0, r.build_id_bytes)));
    writer.text("path", quote(std::string_view(payload).substr(r.build_id_bytes)));
  }
  static void read(trace::ModuleRecord& r, std::string& payload, FieldReader& reader) {
    std::string text;
    if (reader.take("build_id", &text)) payload = from_hex(text);
    r.build_id_bytes = static_cast<uint16_t>(payload.size());
    if (!reader.take("path", &text)) return;
    payload += text;
    r.path_bytes = static_cast<uint32_t>(text.size());
  }
};

template <>
struct Payload<trace::PythonCodeRecord> {
  static void write(const trace::PythonCodeRecord& r, const std::string& payload, FieldWriter& writer) {
    const std::string_view all(payload);
    writer.text("file", quote(all.substr(0, r.file_bytes)));
    writer.text("name", quote(all.substr(r.file_bytes, r.name_bytes)));
    if (r.linetable_bytes != 0) writer.text("table", to_hex(all.substr(size_t{r.file_bytes} + r.name_bytes)));
  }
  static void read(trace::PythonCodeRecord& r, std::string& payload, FieldReader& reader) {
    std::string text;
    if (reader.take("file", &text)) payload += text, r.file_bytes = static_cast<uint16_t>(text.size());
    if (reader.take("name", &text)) payload += text, r.name_bytes = static_cast<uint16_t>(text.size());
    if (!reader.take("table", &text)) return;
    const std::string table = from_hex(text);
    payload += table;
    r.linetable_bytes = static_cast<uint32_t>(table.size());
  }
};

template <>
struct Payload<trace::TextRecord> {
  static void write(const trace::TextRecord& r, const std::string& payload, FieldWriter& writer) {
    writer.text("text", quote(payload));
  }
  static void read(trace::TextRecord& r, std::string& payload, FieldReader& reader) {
    reader.take("text", &payload);
    r.bytes = static_cast<uint32_t>(payload.size());
  }
};

template <>
struct Payload<trace::ProcessRecord> {
  static void write(const trace::ProcessRecord& r, const std::string&, FieldWriter& writer) {
    if (r.name_bytes <= sizeof r.name) writer.text("name", quote({r.name, r.name_bytes}));
  }
  static void read(trace::ProcessRecord& r, std::string&, FieldReader& reader) {
    std::string name;
    if (!reader.take("name", &name)) return;
    r.name_bytes = static_cast<uint16_t>(std::min(name.size(), sizeof r.name));
    std::memcpy(r.name, name.data(), r.name_bytes);
  }
};

template <>
struct Payload<trace::SymbolRecord> {
  static void write(const trace::SymbolRecord& r, const std::string& payload, FieldWriter& writer) {
    writer.text("function", quote(std::string_view(payload).substr(0, r.function_bytes)));
    writer.text("file", quote(std::string_view(payload).substr(r.function_bytes)));
  }
  static void read(trace::SymbolRecord& r, std::string& payload, FieldReader& reader) {
    std::string text;
    if (reader.take("function", &text)) payload = text;
    r.function_bytes = static_cast<uint32_t>(payload.size());
    if (!reader.take("file", &text)) return;
    payload += text;
    r.file_bytes = static_cast<uint32_t>(text.size());
  }
};

// The sizes in a damaged record may exceed its payload: such a record is written as raw bytes.
bool payload_fits(const RecordBytes& bytes) {
  if (static_cast<RecordType>(static_cast<unsigned char>(bytes.record[0])) == RecordType::kStack) return true;
  bool fits = true;
  auto type = static_cast<RecordType>(static_cast<unsigned char>(bytes.record[0]));
  with_record(type, [&](const char*, auto record) {
    std::memcpy(&record, bytes.record.data(), sizeof record);
    size_t needed = 0;
    if constexpr (std::is_same_v<decltype(record), trace::ModuleRecord>) needed = record.build_id_bytes;
    if constexpr (std::is_same_v<decltype(record), trace::PythonCodeRecord>)
      needed = size_t{record.file_bytes} + record.name_bytes;
    if constexpr (std::is_same_v<decltype(record), trace::SymbolRecord>) needed = record.function_bytes;
    fits = needed <= bytes.payload.size();
  });
  return fits;
}

}  // namespace

std::string encode_record(const RecordBytes& bytes) {
  uint16_t type;
  std::memcpy(&type, bytes.record.data(), sizeof type);
  if (!payload_fits(bytes)) return "";
  std::string line;
  with_record(static_cast<RecordType>(type), [&](const char* keyword, auto record) {
    std::memcpy(&record, bytes.record.data(), sizeof record);
    line = keyword;
    FieldWriter writer(line);
    visit_fields(record, writer);
    Payload<decltype(record)>::write(record, bytes.payload, writer);
  });
  if (line.empty()) return "";
  try {
    const RecordBytes back = decode_record(line);
    if (back.record == bytes.record && back.payload == bytes.payload) return line;
  } catch (const std::invalid_argument&) {
  }
  return "";
}

RecordBytes decode_record(std::string_view line) {
  FieldReader reader(line);
  RecordBytes bytes;
  for (uint16_t type = 1; type <= static_cast<uint16_t>(RecordType::kProcess) && bytes.record.empty(); ++type) {
    with_record(static_cast<RecordType>(type), [&](const char* keyword, auto record) {
      if (reader.keyword() != keyword) return;
      record.type = type;
      visit_fields(record, reader);
      Payload<decltype(record)>::read(record, bytes.payload, reader);
      bytes.record.assign(reinterpret_cast<const char*>(&record), sizeof record);
    });
  }
  if (bytes.record.empty()) throw std::invalid_argument("'" + reader.keyword() + "' is not a kind of record");
  reader.finish();
  return bytes;
}

std::string record_group(const RecordBytes& bytes) {
  std::string group = bytes.record;
  for (size_t at = 0; at < bytes.payload.size(); at += trace::kPayloadBytesPerRecord) {
    trace::PayloadRecord part{};
    part.type = static_cast<uint16_t>(RecordType::kPayload);
    part.bytes = static_cast<uint16_t>(std::min<size_t>(trace::kPayloadBytesPerRecord, bytes.payload.size() - at));
    std::memcpy(part.data, bytes.payload.data() + at, part.bytes);
    group.append(reinterpret_cast<const char*>(&part), sizeof part);
  }
  return group;
}

}  // namespace syncsniff::reader
