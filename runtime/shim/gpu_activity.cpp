#include "runtime/shim/gpu_activity.h"

#include <algorithm>
#include <cstring>

#include "runtime/shim/activity_buffers.h"
#include "runtime/shim/cupti_library.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {
namespace {

constexpr uint32_t kTransfers[] = {kActivityMemcpy, kActivityMemset};
constexpr uint32_t kLeavesSafely = 24;  // CUDA 12.6: older CUPTI crashed when attached again
constexpr uint32_t kLeavesGraphsSafely = 130000;

CuptiLibrary g_cupti;
// Used only by the thread that writes the records.
uint64_t g_latest_begin = 0, g_longest_ns = 0;  // g_latest_begin is on CUPTI's clock
uint64_t g_clock_ahead_ns = 0;                  // CUPTI's clock minus ours, modulo 2^64
// Correlation ids of the latest records' calls. Several are kept, since work of a few calls may run concurrently.
constexpr unsigned kLatestCalls = 64;
uint32_t g_latest_calls[kLatestCalls];
unsigned g_next_call = 0;

template <class T>
T at(const uint8_t* record, unsigned offset) noexcept {
  T value;
  std::memcpy(&value, record + offset, sizeof(T));
  return value;
}

void write_kernel(ThreadState& thread, const uint8_t* record) noexcept {
  using K = KernelOffsets;
  trace::GpuWorkRecord work{};
  work.type = static_cast<uint16_t>(trace::RecordType::kGpuWork);
  work.kind = static_cast<uint8_t>(trace::GpuWorkKind::kKernel);
  work.begin_ns = at<uint64_t>(record, K::kStart);
  work.end_ns = at<uint64_t>(record, K::kEnd);
  g_latest_begin = std::max(g_latest_begin, work.begin_ns);
  if (work.end_ns > work.begin_ns) g_longest_ns = std::max(g_longest_ns, work.end_ns - work.begin_ns);
  work.device = at<uint32_t>(record, K::kDevice);
  work.stream = at<uint32_t>(record, K::kStream);
  work.correlation = at<uint32_t>(record, K::kCorrelation);
  work.graph = at<uint32_t>(record, K::kGraph);
  for (unsigned i = 0; i < 3; ++i) work.grid[i] = at<uint32_t>(record, K::kGrid + 4 * i);
  work.block_threads =
      at<uint32_t>(record, K::kBlock) * at<uint32_t>(record, K::kBlock + 4) * at<uint32_t>(record, K::kBlock + 8);
  if (const char* name = at<const char*>(record, K::kName))
    work.name = intern_string(thread, name, strnlen(name, 4096));
  thread.writer.append(work);
}

trace::GpuWorkKind kind_of_copy(uint8_t kind) noexcept {
  switch (kind) {
    case 1:
      return trace::GpuWorkKind::kCopyH2D;
    case 2:
      return trace::GpuWorkKind::kCopyD2H;
    case 8:
      return trace::GpuWorkKind::kCopyD2D;
    default:
      return trace::GpuWorkKind::kCopyOther;
  }
}

void write_transfer(ThreadState& thread, const uint8_t* record, bool set) noexcept {
  using T = TransferOffsets;
  trace::GpuWorkRecord work{};
  work.type = static_cast<uint16_t>(trace::RecordType::kGpuWork);
  work.kind = static_cast<uint8_t>(set ? trace::GpuWorkKind::kSet : kind_of_copy(at<uint8_t>(record, T::kCopyKind)));
  work.begin_ns = at<uint64_t>(record, T::kStart);
  work.end_ns = at<uint64_t>(record, T::kEnd);
  work.bytes = at<uint64_t>(record, T::kBytes);
  work.device = at<uint32_t>(record, T::kDevice);
  work.stream = at<uint32_t>(record, T::kStream);
  work.correlation = at<uint32_t>(record, T::kCorrelation);
  work.graph = at<uint32_t>(record, T::kGraph);
  thread.writer.append(work);
}

bool is_another_call(uint32_t correlation) noexcept {
  for (unsigned i = 0; i < kLatestCalls; ++i)  // starts with the latest, which is the most likely match
    if (g_latest_calls[(g_next_call - 1 - i) % kLatestCalls] == correlation) return false;
  g_latest_calls[g_next_call++ % kLatestCalls] = correlation;
  return true;
}

ActivityCount write_records(ThreadState& thread, const ActivityBuffer& buffer) noexcept {
  uint8_t* record = nullptr;
  ActivityCount count;
  while (buffer.valid > 0 && g_cupti.next_record(buffer.data, buffer.valid, &record) == 0) {
    const auto kind = at<uint32_t>(record, 0);
    const bool is_kernel = kind == kActivityConcurrentKernel;
    if (is_kernel)
      write_kernel(thread, record);
    else if (kind == kActivityMemcpy || kind == kActivityMemset)
      write_transfer(thread, record, kind == kActivityMemset);
    else
      continue;
    ++count.records;
    const unsigned offset = is_kernel ? KernelOffsets::kCorrelation : TransferOffsets::kCorrelation;
    count.calls += is_another_call(at<uint32_t>(record, offset));
  }
  return count;
}

}  // namespace

const char* load_activity() noexcept {
  static const bool kIsLoaded = load_cupti(g_cupti);
  return kIsLoaded ? nullptr : "no GPU timeline: libcupti was not found (SYNCSNIFF_CUPTI may name it)";
}

// CUPTI would zero each buffer on the program's thread, in the middle of a launch: a millisecond for each 20,000
// kernels.
static void promise_zeroed_buffers() noexcept {
  if (g_cupti.set_attribute == nullptr) return;
  uint8_t yes = 1;
  size_t bytes = sizeof(yes);
  g_cupti.set_attribute(kZeroedBuffers, &bytes, &yes);
}

const char* attach_activity() noexcept {
  std::fill(g_latest_calls, g_latest_calls + kLatestCalls, 0u);  // CUPTI may restart its numbers
  keep_activity_buffers_ready();
  if (g_cupti.register_callbacks(activity_buffer_requested, activity_buffer_completed) != 0)
    return "no GPU timeline: another profiler holds CUPTI";
  promise_zeroed_buffers();
  return nullptr;
}

bool enable_activity(bool transfers) noexcept {
  bool any = g_cupti.enable(kActivityConcurrentKernel) == 0;
  for (const uint32_t kind : kTransfers) any |= transfers && g_cupti.enable(kind) == 0;
  return any;
}

void disable_activity() noexcept {
  g_cupti.disable(kActivityConcurrentKernel);
  disable_transfers();
}

void disable_transfers() noexcept {
  for (const uint32_t kind : kTransfers) g_cupti.disable(kind);
}

void flush_activity(bool forced) noexcept { g_cupti.flush(forced ? kFlushForced : 0); }

static bool can_detach_since(uint32_t least) noexcept {
  uint32_t version = 0;
  return g_cupti.finalize != nullptr && g_cupti.version != nullptr && g_cupti.version(&version) == 0 &&
         version >= least;
}

bool can_detach_activity() noexcept { return can_detach_since(kLeavesSafely); }
bool can_detach_from_graphs() noexcept { return can_detach_since(kLeavesGraphsSafely); }

void detach_activity() noexcept { g_cupti.finalize(); }

ActivityCount write_activity(ThreadState* thread) noexcept {
  ActivityCount count;
  for (ActivityBuffer buffer; (buffer = take_activity_buffer()).data != nullptr; reuse_activity_buffer(buffer)) {
    if (thread == nullptr) continue;
    const ActivityCount more = write_records(*thread, buffer);
    count.records += more.records;
    count.calls += more.calls;
  }
  keep_activity_buffers_ready();
  return count;
}

ActivityProgress activity_progress() noexcept { return {g_latest_begin - g_clock_ahead_ns, g_longest_ns}; }

// Uses the closest of a few readings: both clocks within about 100 ns.
void write_clock_pair(ThreadState& thread) noexcept {
  trace::ClockPairRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kClockPair);
  uint64_t best = ~0ull;
  for (int i = 0; i < 5; ++i) {
    const uint64_t before = trace::monotonic_ns();
    uint64_t cupti = 0;
    if (g_cupti.timestamp(&cupti) != 0) return;
    const uint64_t after = trace::monotonic_ns();
    if (after - before >= best) continue;
    best = after - before;
    record.monotonic_ns = before + best / 2;
    record.cupti_ns = cupti;
  }
  g_clock_ahead_ns = record.cupti_ns - record.monotonic_ns;
  thread.writer.append(record);
}

}  // namespace syncsniff::shim
