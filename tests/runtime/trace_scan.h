// A reader of trace files for these tests alone: straight from format.h, sharing no code with instrument/reader.
#pragma once

#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/trace/format.h"

namespace syncsniff::tests {

struct ScannedStack {
  trace::StackRecord record;
  std::vector<uint64_t> addresses;
  std::vector<std::pair<uint32_t, uint32_t>> python;  // code, instruction
};
struct ScannedCode {
  trace::PythonCodeRecord record;
  std::string file, name, linetable;
};
struct ScannedModule {
  trace::ModuleRecord record;
  std::string build_id, path;
};

struct ScannedTrace {
  trace::FileHeader header;
  std::vector<trace::ChunkHeader> chunks;
  std::vector<trace::CallRecord> calls;
  std::map<uint32_t, std::vector<trace::CallRecord>> calls_by_thread;
  std::vector<trace::SiteCountRecord> sites;
  std::vector<trace::IdleRecord> idles;
  std::vector<trace::BurstRecord> bursts;
  std::vector<trace::RangeRecord> ranges;
  std::vector<trace::AllocationRecord> allocations;
  std::vector<trace::GpuWorkRecord> gpu_work;
  std::vector<trace::ClockPairRecord> clock_pairs;
  std::vector<trace::WindowRecord> windows;
  std::vector<trace::SentRecord> sent;
  std::vector<trace::GemmRecord> gemms;
  std::vector<trace::DeviceRecord> devices;
  std::map<uint32_t, ScannedStack> stacks;
  std::map<uint32_t, ScannedCode> codes;
  std::vector<ScannedModule> modules;
  std::map<uint32_t, std::string> apis, strings;
  std::vector<std::string> notes, threads;

  std::vector<trace::CallRecord> calls_of(const std::string& api) const {
    std::vector<trace::CallRecord> found;
    for (const auto& call : calls)
      if (apis.at(call.api) == api) found.push_back(call);
    return found;
  }
  std::vector<trace::SiteCountRecord> sites_of(const std::string& api) const {
    std::vector<trace::SiteCountRecord> found;
    for (const auto& site : sites)
      if (apis.at(site.api) == api) found.push_back(site);
    return found;
  }
  uint64_t count_of(const std::string& api) const {
    uint64_t count = 0;
    for (const auto& site : sites_of(api)) count += site.count;
    return count;
  }
};

class TraceScanner {
 public:
  explicit TraceScanner(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("no trace at " + path);
    if (!file.read(reinterpret_cast<char*>(&out_.header), sizeof(out_.header)))
      throw std::runtime_error("trace too short");
    // No more than counts: a killed process's file is as long as it might have become.
    bytes_.resize(trace::kHeaderBytes + uint64_t{out_.header.chunks} * trace::kChunkBytes);
    file.seekg(0);
    file.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    bytes_.resize(static_cast<size_t>(file.gcount()));
    if (std::memcmp(out_.header.magic, trace::kMagic, sizeof(trace::kMagic)) != 0)
      throw std::runtime_error("bad magic");
    for (uint32_t i = 0; i < out_.header.chunks; ++i)
      scan_chunk(trace::kHeaderBytes + uint64_t{i} * trace::kChunkBytes);
  }
  ScannedTrace take() { return std::move(out_); }

 private:
  void scan_chunk(uint64_t offset) {
    if (offset + trace::kChunkBytes > bytes_.size()) throw std::runtime_error("chunk past the end of the file");
    trace::ChunkHeader head;
    std::memcpy(&head, bytes_.data() + offset, sizeof(head));
    if (head.magic != trace::kChunkMagic) throw std::runtime_error("bad chunk magic");
    out_.chunks.push_back(head);
    tid_ = head.tid;
    at_ = offset + sizeof(head);
    end_ = at_ + head.used_bytes;
    while (at_ < end_) scan_record();
  }

  template <class Record>
  Record next() {
    Record record;
    std::memcpy(&record, bytes_.data() + at_, sizeof(record));
    at_ += sizeof(record);
    return record;
  }

  std::string payload() {
    std::string text;
    while (at_ < end_) {
      trace::PayloadRecord record;
      std::memcpy(&record, bytes_.data() + at_, sizeof(record));
      if (record.type != static_cast<uint16_t>(trace::RecordType::kPayload)) break;
      text.append(record.data, record.bytes);
      at_ += sizeof(record);
    }
    return text;
  }

  void scan_stack() {
    ScannedStack stack{next<trace::StackRecord>(), {}, {}};
    const std::string data = payload();
    if (data.size() != stack.record.payload_bytes) throw std::runtime_error("stack payload of another size");
    stack.addresses.resize(stack.record.native_frames);
    stack.python.resize(stack.record.python_frames);
    std::memcpy(stack.addresses.data(), data.data(), stack.addresses.size() * 8);
    std::memcpy(static_cast<void*>(stack.python.data()), data.data() + stack.addresses.size() * 8,
                stack.python.size() * 8);
    if (!out_.stacks.emplace(stack.record.stack, stack).second) throw std::runtime_error("stack id twice");
  }

  void scan_text(trace::RecordType type) {
    const auto record = next<trace::TextRecord>();
    const std::string text = payload();
    if (text.size() != record.bytes) throw std::runtime_error("text of another size");
    if (type == trace::RecordType::kApiName)
      out_.apis[record.id] = text;
    else if (type == trace::RecordType::kString)
      out_.strings[record.id] = text;
    else if (type == trace::RecordType::kNote)
      out_.notes.push_back(text);
    else
      out_.threads.push_back(text), tid_ = record.id;
  }

  void scan_record() {
    uint16_t type;
    std::memcpy(&type, bytes_.data() + at_, sizeof(type));
    switch (static_cast<trace::RecordType>(type)) {
      case trace::RecordType::kCall:
        out_.calls.push_back(next<trace::CallRecord>());
        out_.calls_by_thread[tid_].push_back(out_.calls.back());
        break;
      case trace::RecordType::kIdle:
        out_.idles.push_back(next<trace::IdleRecord>());
        break;
      case trace::RecordType::kBurst:
        out_.bursts.push_back(next<trace::BurstRecord>());
        break;
      case trace::RecordType::kSiteCount:
        out_.sites.push_back(next<trace::SiteCountRecord>());
        break;
      case trace::RecordType::kRange:
        out_.ranges.push_back(next<trace::RangeRecord>());
        break;
      case trace::RecordType::kAllocation:
        out_.allocations.push_back(next<trace::AllocationRecord>());
        break;
      case trace::RecordType::kGpuWork:
        out_.gpu_work.push_back(next<trace::GpuWorkRecord>());
        break;
      case trace::RecordType::kClockPair:
        out_.clock_pairs.push_back(next<trace::ClockPairRecord>());
        break;
      case trace::RecordType::kWindow:
        out_.windows.push_back(next<trace::WindowRecord>());
        break;
      case trace::RecordType::kSent:
        out_.sent.push_back(next<trace::SentRecord>());
        break;
      case trace::RecordType::kGemm:
        out_.gemms.push_back(next<trace::GemmRecord>());
        break;
      case trace::RecordType::kDevice:
        out_.devices.push_back(next<trace::DeviceRecord>());
        break;
      case trace::RecordType::kStack:
        scan_stack();
        break;
      case trace::RecordType::kModule: {
        ScannedModule module{next<trace::ModuleRecord>(), {}, {}};
        const std::string data = payload();
        module.build_id = data.substr(0, module.record.build_id_bytes);
        module.path = data.substr(module.record.build_id_bytes, module.record.path_bytes);
        out_.modules.push_back(module);
        break;
      }
      case trace::RecordType::kPythonCode: {
        ScannedCode code{next<trace::PythonCodeRecord>(), {}, {}, {}};
        const std::string data = payload();
        code.file = data.substr(0, code.record.file_bytes);
        code.name = data.substr(code.record.file_bytes, code.record.name_bytes);
        code.linetable = data.substr(code.record.file_bytes + code.record.name_bytes, code.record.linetable_bytes);
        out_.codes.emplace(code.record.code, code);
        break;
      }
      case trace::RecordType::kString:
      case trace::RecordType::kThread:
      case trace::RecordType::kNote:
      case trace::RecordType::kApiName:
        scan_text(static_cast<trace::RecordType>(type));
        break;
      default:
        throw std::runtime_error("unknown record type " + std::to_string(type));
    }
  }

  std::string bytes_;
  uint64_t at_ = 0, end_ = 0;
  uint32_t tid_ = 0;
  ScannedTrace out_;
};

inline ScannedTrace scan_trace(const std::string& path) { return TraceScanner(path).take(); }

}  // namespace syncsniff::tests
