#include "runtime/shim/allocations.h"

#include <atomic>
#include <cstring>

#include "runtime/shim/memory_ranges.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/errno_kept.h"

namespace syncsniff::shim {
namespace {

using trace::HostMemory;

std::atomic<int> g_own_contexts{0};
std::atomic<bool> g_primary{false};

uint64_t written_by_callee(uint64_t pointer) noexcept {
  uint64_t value = 0;
  if (pointer != 0) std::memcpy(&value, reinterpret_cast<const void*>(pointer), sizeof(value));
  return value;
}

void tell_allocation(Call& call, const CallSite& site, HostMemory kind, uint64_t address, uint64_t bytes,
                     bool freed) noexcept {
  if (kind != HostMemory::kPinned && kind != HostMemory::kManaged) return;
  trace::AllocationRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kAllocation);
  record.api = api_id(*call.thread, site.api());
  record.memory = static_cast<uint8_t>(kind);
  record.freed = freed ? 1 : 0;
  record.stack = call.stack;
  record.address = address;
  record.bytes = bytes;
  record.time_ns = trace::monotonic_ns();
  call.thread->writer.append(record);
}

uint64_t allocated_bytes(const CallSite& site, const ApiInfo& info, const uint64_t* words) noexcept {
  if (info.bytes_arg >= 0) return words[info.bytes_arg];
  if (site.api() == kApi_cuMemAllocPitch_v2) return written_by_callee(words[1]) * words[3];
  return 0;
}

// Idle time can be proved only if a device has a single context, since a wait covers its own context only.
void context_made(const CallSite& site) noexcept {
  switch (site.api()) {
    case kApi_cuCtxCreate_v2:
    case kApi_cuCtxCreate_v3:
    case kApi_cuCtxCreate_v4:
      g_own_contexts.fetch_add(1);
      break;
    case kApi_cuDevicePrimaryCtxRetain:
      g_primary.store(true);
      break;
    case kApi_cuGreenCtxStreamCreate:
      give_up_idle();
      break;
    default:
      return;
  }
  if (g_own_contexts.load() + (g_primary.load() ? 1 : 0) > 1) give_up_idle();
}

bool changes_context(const CallSite& site) noexcept {
  switch (site.api()) {
    case kApi_cuCtxCreate_v2:
    case kApi_cuCtxCreate_v3:
    case kApi_cuCtxCreate_v4:
    case kApi_cuCtxDestroy_v2:
      return true;
    default:
      return false;
  }
}

}  // namespace

void before_allocation_call(Call& call, const CallSite& site, const ApiInfo& info, const uint64_t* words) noexcept {
  const trace::ErrnoKept errno_kept;
  if (info.freed_arg >= 0) {
    const RemovedRange range = remove_range(words[info.freed_arg]);
    call.bytes = range.bytes;
    call.src = range.kind;
    tell_allocation(call, site, range.kind, words[info.freed_arg], range.bytes, true);
  }
  if (info.handles == Handles::kDestroysStream) stream_destroyed(*call.thread, call.stream);
}

void after_allocation_call(Call& call, const CallSite& site, const ApiInfo& info, const uint64_t* words,
                           int result) noexcept {
  const trace::ErrnoKept errno_kept;
  ThreadState& thread = *call.thread;
  if (changes_context(site)) forget_current_device(thread);
  if (info.capture == Capture::kEnd) set_capturing(thread, call.stream, call.per_thread, false);
  if (result != 0) return;
  if (info.allocates != HostMemory::kUnknown) {
    const uint64_t address = info.registers_arg >= 0 ? words[info.registers_arg]
                             : info.out_arg >= 0     ? written_by_callee(words[info.out_arg])
                                                     : 0;
    const uint64_t bytes = allocated_bytes(site, info, words);
    add_range(address, bytes, info.allocates);
    call.dst = info.allocates;
    tell_allocation(call, site, info.allocates, address, bytes, false);
  } else if (site.api() == kApi_cuMemMap) {
    add_range(words[0], words[1], HostMemory::kDevice);
  } else if (site.api() == kApi_cuMemUnmap) {
    remove_range(words[0]);
  }
  if (info.handles == Handles::kCreatesStream) stream_created(thread, written_by_callee(words[info.out_arg]));
  if (info.capture == Capture::kBegin) set_capturing(thread, call.stream, call.per_thread, true);
  context_made(site);
}

}  // namespace syncsniff::shim
