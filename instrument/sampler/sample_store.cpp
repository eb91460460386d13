#include "instrument/sampler/sample_store.h"

#include <algorithm>
#include <cstring>

#include "instrument/reader/record_line.h"
#include "instrument/sampler/program_headers.h"

namespace syncsniff::sampler {
namespace {

// About 0.5 KB each. If a program has ever new stacks, as in a deep recursion, only the first ones are stored.
constexpr size_t kMostStacks = 20000;
// Addresses of programs on x86-64 do not have these bits. Each moved object gets 4 GiB of such addresses.
constexpr uint64_t kMovedTo = uint64_t{1} << 60, kMovedBytes = uint64_t{1} << 32;

template <class Record>
std::string bytes_of(const Record& record) {
  return std::string(reinterpret_cast<const char*>(&record), sizeof record);
}

template <class Record>
Record record_of(trace::RecordType type) {
  Record record{};
  record.type = static_cast<uint16_t>(type);
  return record;
}

std::string payload_of(const SampledStack& stack, uint32_t first_code) {
  std::string payload(reinterpret_cast<const char*>(stack.native.data()), stack.native.size() * sizeof(uint64_t));
  for (const auto& [code, instruction] : stack.python) {
    const uint32_t words[] = {code - 1 + first_code, instruction};
    payload.append(reinterpret_cast<const char*>(words), sizeof words);
  }
  return payload;
}

std::string code_record(const PythonCode& code, uint16_t version, uint32_t id) {
  auto record = record_of<trace::PythonCodeRecord>(trace::RecordType::kPythonCode);
  record.file_bytes = static_cast<uint16_t>(std::min<size_t>(code.file.size(), UINT16_MAX));
  record.name_bytes = static_cast<uint16_t>(std::min<size_t>(code.name.size(), UINT16_MAX));
  record.python_version = version;
  record.code = id;
  record.linetable_bytes = static_cast<uint32_t>(code.line_table.size());
  record.first_line = code.first_line;
  return reader::record_group({bytes_of(record), code.file.substr(0, record.file_bytes) +
                                                     code.name.substr(0, record.name_bytes) + code.line_table});
}

std::string stack_record(const SampledStack& stack, uint32_t id, uint32_t first_code) {
  auto record = record_of<trace::StackRecord>(trace::RecordType::kStack);
  const std::string payload = payload_of(stack, first_code);
  record.native_frames = static_cast<uint16_t>(stack.native.size());
  record.python_frames = static_cast<uint16_t>(stack.python.size());
  record.stack = id;
  record.payload_bytes = static_cast<uint32_t>(payload.size());
  return reader::record_group({bytes_of(record), payload});
}

template <class T>
void drop_every_second(std::vector<T>& all) {
  size_t kept = 0;
  for (size_t i = 0; i < all.size(); i += 2) all[kept++] = all[i];
  all.resize(kept);
}

}  // namespace

StackName SampleStore::name_of(const SampledStack& stack) {
  if (stack.native.empty() && stack.python.empty()) return {};
  const std::string key = std::to_string(stack.native.size()) + ':' + payload_of(stack, 1);
  const auto known = known_.find(key);
  if (known != known_.end()) return {known->second, true};
  if (stacks_.size() == kMostStacks) {
    add_note("samples after the first " + std::to_string(kMostStacks) + " different stacks do not say where they were");
    return {};
  }
  stacks_.push_back(stack);
  const auto number = static_cast<uint32_t>(stacks_.size());
  known_.emplace(key, number);
  return {number, true};
}

void SampleStore::move_apart(std::vector<uint64_t>& addresses, const MappedObjects& objects, RemoteMemory& memory) {
  for (uint64_t& address : addresses) {
    const MappedObject* const object = objects.at(address);
    if (object == nullptr) continue;
    const auto [entry, is_new] = objects_.try_emplace(object->path);
    MovedObject& moved = entry->second;
    if (is_new) {
      moved.begin = kMovedTo + objects_.size() * kMovedBytes;
      uint64_t bias = object->begin;
      find_load_bias(read_program_headers(memory, object->begin), object->begin, bias);
      moved.bias = moved.begin - (object->begin - bias);
    }
    moved.bytes = std::max(moved.bytes, object->end - object->begin);
    address = moved.begin + (address - object->begin);
  }
}

std::string SampleStore::process_records() const {
  std::string records;
  for (const auto& [path, moved] : objects_) {
    auto record = record_of<trace::ModuleRecord>(trace::RecordType::kModule);
    record.path_bytes = static_cast<uint32_t>(path.size());
    record.load_bias = moved.bias;
    record.begin = moved.begin;
    record.end = moved.begin + moved.bytes;
    records += reader::record_group({bytes_of(record), path});
  }
  for (const auto& [pid, name] : processes_) {
    auto record = record_of<trace::ProcessRecord>(trace::RecordType::kProcess);
    record.pid = pid;
    record.name_bytes = static_cast<uint16_t>(std::min(name.size(), sizeof record.name));
    std::memcpy(record.name, name.data(), record.name_bytes);
    records += bytes_of(record);
  }
  return records;
}

void SampleStore::add_note(const std::string& text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(text);
}

void SampleStore::thin() {
  drop_every_second(samples_);
  drop_every_second(others_);
}

std::string SampleStore::as_records(const std::vector<PythonCode>& codes, uint16_t python_version, uint32_t first_stack,
                                    uint32_t first_code) const {
  std::string records = process_records();
  const auto number_of = [&](const StackName& stack) {
    return stack.is_own ? stack.number - 1 + first_stack : stack.number;
  };
  for (size_t i = 0; i < codes.size(); ++i)
    records += code_record(codes[i], python_version, first_code + static_cast<uint32_t>(i));
  for (size_t i = 0; i < stacks_.size(); ++i)
    records += stack_record(stacks_[i], first_stack + static_cast<uint32_t>(i), first_code);
  for (const Sample& sample : samples_) {
    auto record = record_of<trace::SampleRecord>(trace::RecordType::kSample);
    record.state = static_cast<uint8_t>(sample.state);
    record.in_call = sample.in_call ? 1 : 0;
    record.stack = number_of(sample.stack);
    record.tid = sample.tid;
    record.time_ns = sample.time_ns;
    records += bytes_of(record);
  }
  for (const OtherSample& sample : others_) {
    auto record = record_of<trace::OtherSampleRecord>(trace::RecordType::kOtherSample);
    record.state = static_cast<uint8_t>(sample.state);
    record.stack = number_of(sample.stack);
    record.tid = sample.tid;
    record.turns = sample.turns;
    record.pid = sample.pid;
    record.time_ns = sample.time_ns;
    records += bytes_of(record);
  }
  for (const std::string& note : notes_) {
    auto record = record_of<trace::TextRecord>(trace::RecordType::kNote);
    record.bytes = static_cast<uint32_t>(note.size());
    records += reader::record_group({bytes_of(record), note});
  }
  return records;
}

}  // namespace syncsniff::sampler
