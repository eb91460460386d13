// The body of every wrapper: guard, real call, record, return. record.cpp decides what is recorded. Included only by
// the generated sources.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "runtime/shim/api_info.h"
#include "runtime/shim/arguments.h"
#include "runtime/shim/events.h"
#include "runtime/shim/graph_gate.h"
#include "runtime/shim/in_hook.h"
#include "runtime/shim/record.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/resolve.h"

namespace syncsniff::shim {

// CUmemLocation and CUipcMemHandle are passed by value; these have their size and class.
struct MemLocation {
  int type, id;
};
struct IpcMemHandle {
  char bytes[64];
};

template <class T>
inline uint64_t word(const T& value) noexcept {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uint64_t>(value);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<uint64_t>(value);
  else
    return 0;
}

// Returned to a directly linked program for a function that its driver lacks.
inline constexpr int kNoDriver = 100, kNotInitialized = 3;

template <unsigned Api, unsigned SlotIndex, class... A>
[[gnu::always_inline]] inline int invoke(const void* return_address, void* frame, A... arguments) noexcept {
  using Function = int (*)(A...);
  void* real = slot_of(Api, SlotIndex).real.load(std::memory_order_acquire);
  if constexpr (SlotIndex < kDirectSlots) {
    if (__builtin_expect(real == nullptr, 0)) real = resolve_direct(Api, SlotIndex);
    if (__builtin_expect(real == nullptr, 0)) return Api == kApi_cuInit ? kNoDriver : kNotInitialized;
  }
  const auto function = reinterpret_cast<Function>(real);
  if constexpr (Api == kApi_cuInit) {
    const int result = function(arguments...);
    initialized(result);
    return result;
  }
  const uint64_t words[sizeof...(A) + 1] = {word(arguments)..., 0};
  constexpr const ApiInfo& kInfo = kApis[Api];
  // The saved frame pointer and the return address are between `frame` and the caller's frame, so the CFA is `frame` +
  // 16.
  const CallSite site{return_address, reinterpret_cast<uintptr_t>(frame) + 16, Api * kSlots + SlotIndex};
  constexpr Watched kKind = watched(Api);
  [[maybe_unused]] const std::conditional_t<takes_graph_pass(Api), GraphPass, NoGraphPass> pass(
      kInfo.graph, uploads_graph(Api, words));
  // A program makes thousands of these calls in a row: they are held by the graph gate, but not recorded.
  if constexpr (kKind == Watched::kGraphPart) return function(arguments...);
  // These calls take no time, so they are not recorded; only the change of context is noted.
  if constexpr (kKind == Watched::kContextSwitch) {
    context_switched();  // before the call, too, since a signal handler may jump out of it
    const int result = function(arguments...);
    context_switched();
    return result;
  }
  // From here until a new record of it has returned, the event proves nothing.
  if constexpr (kKind == Watched::kEventDestroy || kKind == Watched::kEventRecord) forget_event(words[kInfo.event_arg]);
  if constexpr (kKind == Watched::kEventDestroy) return function(arguments...);
  if constexpr (kKind == Watched::kStreamWait)
    if (!lists_every_call()) return function(arguments...);
  if constexpr (kKind == Watched::kLaunch || kKind == Watched::kEnqueue) {
    static_assert((kKind == Watched::kLaunch) == (kInfo.enqueues == Enqueues::kKernel));
    static_assert(kInfo.blocks == Blocks::kNever && kInfo.bytes_arg < 0);
    const bool per_thread = slot_of(Api, SlotIndex).per_thread;
    constexpr int kObject = kInfo.object_arg >= 0 ? kInfo.object_arg : static_cast<int>(sizeof...(A));
    Call call;
    if (!begin_enqueue(call, site, stream_of(kInfo, words), per_thread, words[kObject])) return function(arguments...);
    const int result = function(arguments...);
    end_enqueue(call, site, words[kObject], kInfo.enqueues, result);
    return result;
  } else if constexpr (kKind == Watched::kCopy) {
    const bool per_thread = slot_of(Api, SlotIndex).per_thread;
    WaitingCall call;
    if (!begin_copy(call, site, stream_of(kInfo, words), per_thread, words)) return function(arguments...);
    const int result = function(arguments...);
    end_copy(call, site, words, result);
    return result;
  } else if constexpr (kKind == Watched::kModuleLoad) {
    const uint64_t begun = begin_load();
    const int result = function(arguments...);
    end_load(site, begun, result);
    return result;
  } else {
    WaitingCall call;
    if (!begin_call<kKind>(call, site, stream_of(kInfo, words), words)) return function(arguments...);
    const int result = function(arguments...);
    end_call<kKind>(call, site, words, result);
    return result;
  }
}

template <unsigned Api, unsigned SlotIndex, class... A>
int wrapper_body(A... arguments) noexcept {
  return invoke<Api, SlotIndex, A...>(__builtin_return_address(0), __builtin_frame_address(0), arguments...);
}

// The same for functions that a step calls, in one code section. Only slot 2, since few processes have a second pointer
// to one of these.
template <unsigned Api, unsigned SlotIndex, class... A>
SYNCSNIFF_IN_HOOKS int usual_body(A... arguments) noexcept {
  return invoke<Api, SlotIndex, A...>(__builtin_return_address(0), __builtin_frame_address(0), arguments...);
}
constexpr bool is_usual(unsigned api, unsigned slot) noexcept {
  if (slot != kDirectSlots) return false;
  switch (watched(api)) {
    case Watched::kLaunch:
    case Watched::kEnqueue:
    case Watched::kModuleLoad:
    case Watched::kCopy:
    case Watched::kPoll:
    case Watched::kEventRecord:
      return true;
    default:
      return false;
  }
}

template <unsigned Api>
struct Row;

}  // namespace syncsniff::shim

#define SYNCSNIFF_EXPORT extern "C" [[gnu::visibility("default")]]
#define SYNCSNIFF_DIRECT(api, slot, ...) \
  syncsniff::shim::invoke<api, slot>(__builtin_return_address(0), __builtin_frame_address(0) __VA_OPT__(, ) __VA_ARGS__)
// The wrappers of one function, by slot; slots 0 and 1 are the exported symbol, which is generated separately.
#define SYNCSNIFF_ROW(api, ...)                                                           \
  template <>                                                                             \
  struct syncsniff::shim::Row<api> {                                                      \
    template <unsigned S>                                                                 \
    static void* entry() noexcept {                                                       \
      if constexpr (syncsniff::shim::is_usual(api, S))                                    \
        return reinterpret_cast<void*>(&usual_body<api, S __VA_OPT__(, ) __VA_ARGS__>);   \
      else                                                                                \
        return reinterpret_cast<void*>(&wrapper_body<api, S __VA_OPT__(, ) __VA_ARGS__>); \
    }                                                                                     \
    static void* at(unsigned slot) noexcept {                                             \
      void* const entries[] = {nullptr,    nullptr,    entry<2>(), entry<3>(),            \
                               entry<4>(), entry<5>(), entry<6>(), entry<7>()};           \
      return entries[slot];                                                               \
    }                                                                                     \
  };                                                                                      \
  [[gnu::visibility("hidden")]] void* syncsniff_row_##api(unsigned slot) noexcept {       \
    return syncsniff::shim::Row<api>::at(slot);                                           \
  }
