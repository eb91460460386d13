#include "instrument/sampler/trace_tail.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "instrument/reader/layout.h"
#include "instrument/sampler/clock.h"

namespace syncsniff::sampler {
namespace {

// Reading new records costs a system call per chunk, so it is not done for each of many new stacks.
constexpr uint64_t kSpacingNs = 2'000'000;

template <class T>
bool read_at(int file, uint64_t offset, T& value) {
  return pread(file, &value, sizeof value, static_cast<off_t>(offset)) == static_cast<ssize_t>(sizeof value);
}

uint64_t offset_of(uint32_t chunk) { return trace::kHeaderBytes + uint64_t{chunk} * trace::kChunkBytes; }

}  // namespace

TraceTail::TraceTail(const std::string& path)
    : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) {
  void* const mapped = mmap(nullptr, trace::kHeaderBytes, PROT_READ, MAP_SHARED, file_, 0);
  if (mapped != MAP_FAILED) futex_ = mapped;
}

TraceTail::~TraceTail() { close(); }

void TraceTail::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  if (futex_ != nullptr) munmap(futex_, trace::kHeaderBytes);
  futex_ = nullptr;
}

bool TraceTail::read_header(trace::FileHeader& header) const {
  return read_at(file_, 0, header) && std::memcmp(header.magic, trace::kMagic, sizeof header.magic) == 0 &&
         header.version == trace::kVersion && header.chunk_bytes == trace::kChunkBytes;
}

uint64_t TraceTail::window_turn() const {
  uint64_t turn = 0;
  return read_at(file_, offsetof(trace::FileHeader, window_turn), turn) ? turn : 0;
}

// The kernel compares the low half, which is the first on x86.
bool TraceTail::wait_for_turn(uint64_t turn, uint64_t at_most_ns) const {
  if (futex_ == nullptr) return false;
  const timespec at_most{static_cast<time_t>(at_most_ns / 1'000'000'000),
                         static_cast<long>(at_most_ns % 1'000'000'000)};
  const char* const word = static_cast<const char*>(futex_) + offsetof(trace::FileHeader, window_turn);
  return syscall(SYS_futex, word, FUTEX_WAIT, static_cast<uint32_t>(turn), &at_most, nullptr, 0) == 0 ||
         errno == EAGAIN || errno == EINTR || errno == ETIMEDOUT;
}

void TraceTail::wake_waiter() const {
  if (futex_ == nullptr) return;
  const char* const word = static_cast<const char*>(futex_) + offsetof(trace::FileHeader, window_turn);
  syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

const std::vector<uint64_t>* TraceTail::stack(uint32_t id) {
  auto found = stacks_.find(id);
  if (found == stacks_.end() && monotonic_ns() - read_ns_ > kSpacingNs) {
    read_on();
    read_ns_ = monotonic_ns();
    found = stacks_.find(id);
  }
  return found != stacks_.end() ? &found->second : nullptr;
}

uint64_t TraceTail::module_of(uint64_t address) const {
  auto module = modules_.upper_bound(address);
  if (module == modules_.begin()) return 0;
  --module;
  return address < module->second ? module->first : 0;
}

void TraceTail::read_on() {
  uint32_t count = 0;
  if (!read_at(file_, offsetof(trace::FileHeader, chunks), count)) return;
  constexpr uint32_t kMostChunks = 1u << 20;  // 64 GiB of trace: a greater number is no valid header's
  count = std::min(count, kMostChunks);
  if (count > chunks_.size()) chunks_.resize(count);
  for (uint32_t i = 0; i < chunks_.size(); ++i)
    if (!chunks_[i].is_done) read_chunk(i);
}

void TraceTail::read_chunk(uint32_t index) {
  Chunk& chunk = chunks_[index];
  trace::ChunkHeader header;
  if (!read_at(file_, offset_of(index), header) || header.magic != trace::kChunkMagic) return;
  if (header.used_bytes > reader::kChunkDataBytes) return;
  chunk.tid = header.tid;
  if (header.used_bytes > chunk.read_bytes) {
    std::vector<char> records(header.used_bytes - chunk.read_bytes);
    const uint64_t from = offset_of(index) + sizeof header + chunk.read_bytes;
    if (pread(file_, records.data(), records.size(), static_cast<off_t>(from)) != static_cast<ssize_t>(records.size()))
      return;
    chunk.read_bytes = header.used_bytes;
    take_records(records);
  }
  // A thread that has begun its next chunk has completed this one.
  const auto [latest, is_first] = latest_.try_emplace(header.tid, index);
  if (is_first || latest->second >= index) return;
  const uint32_t before = latest->second;
  latest->second = index;
  read_chunk(before);
  chunks_[before].is_done = true;
}

void TraceTail::take_records(const std::vector<char>& records) {
  const char* const end = records.data() + records.size();
  for (const char* record = records.data(); record + trace::kRecordBytes <= end;) {
    const size_t payload = reader::payload_bytes(record);
    const size_t parts = (payload + trace::kPayloadBytesPerRecord - 1) / trace::kPayloadBytesPerRecord;
    if (parts >= static_cast<size_t>(end - record) / trace::kRecordBytes) return;
    if (reader::record_type(record) == trace::RecordType::kModule) {
      trace::ModuleRecord module;
      std::memcpy(&module, record, sizeof module);
      modules_[module.begin] = module.end;
    } else if (reader::record_type(record) == trace::RecordType::kStack) {
      trace::StackRecord stack;
      std::memcpy(&stack, record, sizeof stack);
      std::vector<char> bytes(parts * trace::kPayloadBytesPerRecord);
      for (size_t i = 0; i < parts; ++i)
        std::memcpy(&bytes[i * trace::kPayloadBytesPerRecord],
                    record + (i + 1) * trace::kRecordBytes + offsetof(trace::PayloadRecord, data),
                    trace::kPayloadBytesPerRecord);
      std::vector<uint64_t> native(std::min<size_t>(stack.native_frames, bytes.size() / sizeof(uint64_t)));
      if (!native.empty()) std::memcpy(native.data(), bytes.data(), native.size() * sizeof(uint64_t));
      stacks_[stack.stack] = std::move(native);
    }
    record += (1 + parts) * trace::kRecordBytes;
  }
}

}  // namespace syncsniff::sampler
