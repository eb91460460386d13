#include "instrument/sampler/unwind_table.h"

#include <algorithm>
#include <vector>

#include "instrument/sampler/frame_program.h"
#include "instrument/sampler/program_headers.h"

namespace syncsniff::sampler {
namespace {

constexpr size_t kMostKnown = 1u << 16;
constexpr size_t kMostDescription = 4096, kMostCode = 4096;
// Pointer encodings (LSB, DWARF exception headers) that GNU ld, gold, lld and mold use for x86-64. Others are not read.
constexpr uint8_t kSigned4 = 0x0b, kUnsigned4 = 0x03, kOfPlace = 0x10, kOfHeader = 0x30, kFormat = 0x0f;

struct HeaderStart {
  uint8_t version, frame_encoding, count_encoding, table_encoding;
  int32_t frame;
  uint32_t count;
};
static_assert(sizeof(HeaderStart) == 12);
struct Entry {
  int32_t function, description;  // relative to the header's address
};

uint64_t moved(uint64_t from, int64_t by) { return from + static_cast<uint64_t>(by); }

// Bytes of one entry of .eh_frame, without its length field. Empty: not readable.
std::vector<char> read_entry(RemoteMemory& memory, uint64_t address) {
  uint32_t length = 0;
  if (!memory.read(address, &length, sizeof length) || length < 4 || length > kMostDescription) return {};
  std::vector<char> bytes(length);
  if (!memory.read(address + sizeof length, bytes.data(), bytes.size())) return {};
  return bytes;
}

struct Common {
  FrameProgram program;
  bool has_augmentation = false;
};

// Returns false if the entry's form is not supported.
bool read_common(const std::vector<char>& entry, Common& common) {
  DwarfBytes bytes(entry.data(), entry.data() + entry.size());
  if (bytes.value<uint32_t>() != 0) return false;  // not a common entry
  bytes.value<uint8_t>();                          // version
  const std::string augmentation = bytes.text();
  common.program.code_alignment = bytes.uleb();
  common.program.data_alignment = bytes.sleb();
  bytes.uleb();  // return address register
  common.has_augmentation = augmentation.substr(0, 1) == "z";
  uint8_t encoding = kSigned4 | kOfPlace;
  if (common.has_augmentation) {
    DwarfBytes data = bytes.part(bytes.uleb());
    for (const char letter : augmentation.substr(1)) {
      if (letter == 'R') {
        encoding = data.value<uint8_t>();
      } else if (letter == 'L') {
        data.value<uint8_t>();
      } else if (letter == 'P') {
        const auto form = static_cast<uint8_t>(data.value<uint8_t>() & kFormat);
        data.skip(form == kSigned4 || form == kUnsigned4 ? 4 : 8);
      }
    }
    if (data.failed()) return false;
  }
  return encoding == (kSigned4 | kOfPlace) && !bytes.failed() &&
         common.program.run(bytes, 0, UINT64_MAX, common.program.initial);
}

}  // namespace

FrameRule UnwindTable::at_call(uint64_t return_address) { return rule_at(return_address - 1); }

FrameRule UnwindTable::rule_at(uint64_t address) {
  if (known_.size() == kMostKnown) known_.clear();
  const auto [entry, is_new] = known_.try_emplace(address);
  if (!is_new) return entry->second;
  const uint64_t module = objects_.module_of(address);
  if (module == 0) return {};
  const uint64_t description = description_of(index_of(module), address);
  if (description == 0) return {};
  return entry->second = read_description(description, address);
}

bool UnwindTable::jumps_to(uint64_t function, uint64_t other) {
  constexpr unsigned char kJump = 0xe9, kConditional = 0x0f, kConditionalJump = 0x80;
  std::vector<unsigned char> code(std::min<size_t>(rule_at(function).length, kMostCode));
  if (code.empty() || !memory_.read(function, code.data(), code.size())) return false;
  for (size_t i = 0; i + 5 <= code.size(); ++i) {
    const bool is_jump =
        code[i] == kJump || (i != 0 && code[i - 1] == kConditional && (code[i] & 0xf0) == kConditionalJump);
    int32_t by = 0;
    std::memcpy(&by, &code[i + 1], sizeof by);
    if (is_jump && moved(function + i + 1 + sizeof by, by) == other) return true;
  }
  return false;
}

// Finds it through the program headers, which are loaded with the object.
bool UnwindTable::find_header(uint64_t module, uint64_t& header) {
  const std::vector<Elf64_Phdr> headers = read_program_headers(memory_, module);
  const auto frames =
      std::find_if(headers.begin(), headers.end(), [](const Elf64_Phdr& one) { return one.p_type == PT_GNU_EH_FRAME; });
  uint64_t bias = 0;
  if (frames == headers.end() || !find_load_bias(headers, module, bias)) return false;
  header = bias + frames->p_vaddr;
  return true;
}

const UnwindTable::Index& UnwindTable::index_of(uint64_t module) {
  const auto [entry, is_new] = indexes_.try_emplace(module);
  Index& index = entry->second;
  HeaderStart start{};
  if (!is_new || !find_header(module, index.header) || !memory_.read(index.header, &start, sizeof start)) return index;
  if (start.version != 1 || (start.frame_encoding & kFormat) != kSigned4 || start.count_encoding != kUnsigned4 ||
      start.table_encoding != (kSigned4 | kOfHeader))
    return index;
  index.entries = index.header + sizeof start;
  index.count = start.count;
  return index;
}

// Address of the description of the last function that begins at or before `address`; 0: there is none.
uint64_t UnwindTable::description_of(const Index& index, uint64_t address) {
  Entry found{};
  bool has_found = false;
  for (uint32_t low = 0, high = index.count; low < high;) {
    const uint32_t middle = low + (high - low) / 2;
    Entry entry{};
    if (!memory_.read(index.entries + uint64_t{middle} * sizeof entry, &entry, sizeof entry)) return 0;
    if (moved(index.header, entry.function) <= address)
      found = entry, has_found = true, low = middle + 1;
    else
      high = middle;
  }
  return has_found ? moved(index.header, found.description) : 0;
}

FrameRule UnwindTable::read_description(uint64_t description, uint64_t address) {
  const std::vector<char> entry = read_entry(memory_, description);
  DwarfBytes bytes(entry.data(), entry.data() + entry.size());
  const uint64_t place = description + sizeof(uint32_t);
  Common common;
  const auto back = bytes.value<uint32_t>();
  if (back == 0 || bytes.failed() || !read_common(read_entry(memory_, place - back), common)) return {};
  const uint64_t function = moved(place + sizeof back, bytes.value<int32_t>());
  const auto length = bytes.value<uint32_t>();
  if (address < function || address - function >= length) return {};  // the address is between two functions
  if (common.has_augmentation) bytes.skip(bytes.uleb());
  FrameState state = common.program.initial;
  if (bytes.failed() || !common.program.run(bytes, function, address, state)) return {};
  FrameRule rule = rule_of(state);
  rule.function = function;
  rule.length = length;
  return rule;
}

}  // namespace syncsniff::sampler
