// NVTX v3 injection: the program's header-only NVTX finds this library through NVTX_INJECTION64_PATH and calls it to
// install callbacks. Push/pop and start/end ranges become Range records when they close. The ABI is fixed, and is
// written out here.
#include <wchar.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "runtime/shim/recorder.h"
#include "runtime/shim/site_table.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {
namespace {

constexpr size_t kLongestName = 512;

// A registered string or domain; its address is the handle. The copy of the text lives as long as the process.
struct Registered {
  std::atomic<uint32_t> id;  // id in the trace; 0: not written yet
  char text[kLongestName];
};

// nvtxEventAttributes_t
struct Attributes {
  uint16_t version, size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  union {
    const char* ascii;
    const wchar_t* wide;
    Registered* registered;
  } message;
};
constexpr int32_t kAscii = 1, kWide = 2, kRegistered = 3;

uint32_t name_of_wide(ThreadState& thread, const wchar_t* text) noexcept {
  char narrow[kLongestName];
  size_t used = 0;
  for (; text != nullptr && text[used] != 0 && used < sizeof(narrow); ++used)
    narrow[used] = text[used] < 128 ? static_cast<char>(text[used]) : '?';
  return intern_string(thread, narrow, used);
}

uint32_t name_of_ascii(ThreadState& thread, const char* text) noexcept {
  return text != nullptr ? intern_string(thread, text, strnlen(text, kLongestName)) : 0;
}

uint32_t name_of_registered(ThreadState& thread, Registered* string) noexcept {
  if (string == nullptr) return 0;
  uint32_t id = string->id.load(std::memory_order_relaxed);
  if (id == 0) string->id.store(id = name_of_ascii(thread, string->text), std::memory_order_relaxed);
  return id;
}

uint32_t name_of(ThreadState& thread, const Attributes* attributes) noexcept {
  if (attributes == nullptr) return 0;
  switch (attributes->message_type) {
    case kAscii:
      return name_of_ascii(thread, attributes->message.ascii);
    case kWide:
      return name_of_wide(thread, attributes->message.wide);
    case kRegistered:
      return name_of_registered(thread, attributes->message.registered);
    default:
      return 0;
  }
}

// `name_of` is called only if the range is recorded, since it reads the whole text.
template <class Name>
int push(ThreadState* thread, const Name& name_of, uint32_t color, Registered* domain = nullptr) noexcept {
  NvtxStack& stack = domain != nullptr ? thread->domain_ranges : thread->ranges;
  if (stack.is_recorded(stack.depth))
    stack.open[stack.depth] = {thread->clock.now_ns(), name_of(), color, name_of_registered(*thread, domain)};
  return static_cast<int>(stack.depth++);
}

void write_range(ThreadState& thread, const NvtxStack::Open& open, unsigned depth) noexcept {
  trace::RangeRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kRange);
  record.depth = static_cast<uint16_t>(depth);
  record.name = open.name;
  record.domain = open.domain;
  record.begin_ns = open.begin_ns;
  record.end_ns = thread.clock.now_ns();
  record.color = open.color;
  thread.writer.append(record);
}

int pop(ThreadState& thread, NvtxStack& stack) noexcept {
  if (stack.depth == 0) return -1;
  const unsigned depth = --stack.depth;
  if (stack.is_recorded(depth)) {
    write_range(thread, stack.open[depth], depth);
    stack.count(depth, stack.open[depth].name);
  }
  return static_cast<int>(depth);
}

// Start/end ranges may end on another thread, so they are in a small global table; index and generation make the
// range's id.
struct Started {
  std::atomic<uint64_t> id;
  NvtxStack::Open open;
};
constexpr uint64_t kStartedCount = 1024;
Started g_started[kStartedCount];
std::atomic<uint64_t> g_next_id{1};

uint64_t start_range(ThreadState* thread, uint32_t name, uint32_t color, Registered* domain = nullptr) noexcept {
  const uint64_t id = g_next_id.fetch_add(1);
  Started& started = g_started[id % kStartedCount];
  uint64_t empty = 0;
  if (started.id.compare_exchange_strong(empty, ~0ull)) {
    started.open = {thread->clock.now_ns(), name, color, name_of_registered(*thread, domain)};
    started.id.store(id);
  }
  return id;
}

// Runs every callback's body; does nothing if nothing is recorded, or if this thread is inside another hook.
template <class F>
auto with_thread(F&& body) noexcept -> decltype(body(static_cast<ThreadState*>(nullptr))) {
  ThreadState* thread = enter();
  if (thread == nullptr) return {};
  auto result = body(thread);
  leave();
  return result;
}

int on_push_ascii(const char* text) noexcept {
  return with_thread([&](ThreadState* t) { return push(t, [&] { return name_of_ascii(*t, text); }, 0); });
}
int on_push_wide(const wchar_t* text) noexcept {
  return with_thread([&](ThreadState* t) { return push(t, [&] { return name_of_wide(*t, text); }, 0); });
}
uint32_t color_of(const Attributes* attributes) noexcept { return attributes != nullptr ? attributes->color : 0; }
// `domain`: null for the default domain.
int on_domain_push(void* domain, const Attributes* a) noexcept {
  return with_thread([&](ThreadState* t) {
    return push(t, [&] { return name_of(*t, a); }, color_of(a), static_cast<Registered*>(domain));
  });
}
int on_push_ex(const Attributes* a) noexcept { return on_domain_push(nullptr, a); }
int on_pop() noexcept {
  return with_thread([](ThreadState* t) { return pop(*t, t->ranges); });
}
int on_domain_pop(void* domain) noexcept {
  return with_thread([&](ThreadState* t) { return pop(*t, domain != nullptr ? t->domain_ranges : t->ranges); });
}
uint64_t on_start_ascii(const char* text) noexcept {
  return with_thread([&](ThreadState* t) { return start_range(t, name_of_ascii(*t, text), 0); });
}
uint64_t on_start_wide(const wchar_t* text) noexcept {
  return with_thread([&](ThreadState* t) { return start_range(t, name_of_wide(*t, text), 0); });
}
uint64_t on_domain_start(void* domain, const Attributes* a) noexcept {
  return with_thread(
      [&](ThreadState* t) { return start_range(t, name_of(*t, a), color_of(a), static_cast<Registered*>(domain)); });
}
uint64_t on_start_ex(const Attributes* a) noexcept { return on_domain_start(nullptr, a); }
void on_end(uint64_t id) noexcept {
  with_thread([&](ThreadState* t) {
    Started& started = g_started[id % kStartedCount];
    uint64_t wanted = id;
    if (id == 0 || started.id.load() != id) return 0;
    const NvtxStack::Open open = started.open;
    if (started.id.compare_exchange_strong(wanted, 0)) write_range(*t, open, 0);
    return 0;
  });
}
void on_domain_end(void*, uint64_t id) noexcept { on_end(id); }

std::atomic<uint32_t> g_registered_count{0};
Registered g_registered[4096];

void* keep_text(const char* text) noexcept {
  const uint32_t index = g_registered_count.fetch_add(1);
  if (text == nullptr || index >= sizeof(g_registered) / sizeof(g_registered[0])) return nullptr;
  std::memcpy(g_registered[index].text, text, strnlen(text, kLongestName - 1));
  return &g_registered[index];
}
void* keep_wide_text(const wchar_t* text) noexcept {
  char narrow[kLongestName] = {};
  for (size_t i = 0; text != nullptr && text[i] != 0 && i + 1 < sizeof(narrow); ++i)
    narrow[i] = text[i] < 128 ? static_cast<char>(text[i]) : '?';
  return keep_text(narrow);
}
void* on_register_ascii(void*, const char* text) noexcept { return keep_text(text); }
void* on_register_wide(void*, const wchar_t* text) noexcept { return keep_wide_text(text); }

// Stands for domains without a name or without room in the table, which are still not the default one.
Registered g_unnamed_domain{{0}, "unnamed domain"};

// XLA creates this domain once and, if that succeeds, names each of its operations: 48 ranges a step of a small JAX
// trainer, with new texts each time, 3 % of the step (H100). None of them can be a step. It gets null, as without a
// tool, and then names nothing.
bool is_xlas(const char* name) noexcept { return name != nullptr && std::strcmp(name, "TSL") == 0; }

void* on_create_domain_ascii(const char* name) noexcept {
  if (is_xlas(name)) return nullptr;
  void* domain = keep_text(name);
  return domain != nullptr ? domain : &g_unnamed_domain;
}
void* on_create_domain_wide(const wchar_t* name) noexcept {
  void* domain = keep_wide_text(name);
  return domain != nullptr ? domain : &g_unnamed_domain;
}

using Function = void (*)();
using GetTable = int (*)(uint32_t module, Function*** table, unsigned* size);
struct Callbacks {
  size_t struct_size;
  GetTable get_module_table;
};
constexpr uint32_t kCallbacksTable = 1, kModuleCore = 1, kModuleCore2 = 5;

template <class F>
void wire(Function** table, unsigned size, unsigned id, F* function) noexcept {
  if (id < size && table[id] != nullptr) *table[id] = reinterpret_cast<Function>(function);
}

}  // namespace
}  // namespace syncsniff::shim

extern "C" [[gnu::visibility("default")]] int InitializeInjectionNvtx2(
    const void* (*get_export_table)(uint32_t)) noexcept {
  using namespace syncsniff::shim;
  const auto* callbacks = static_cast<const Callbacks*>(get_export_table(kCallbacksTable));
  Function** table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->struct_size < sizeof(Callbacks)) return 0;
  // The indices are NVTX_CBID_CORE_* and NVTX_CBID_CORE2_*.
  if (callbacks->get_module_table(kModuleCore, &table, &size) == 0) return 0;
  wire(table, size, 4, on_start_ex);
  wire(table, size, 5, on_start_ascii);
  wire(table, size, 6, on_start_wide);
  wire(table, size, 7, on_end);
  wire(table, size, 8, on_push_ex);
  wire(table, size, 9, on_push_ascii);
  wire(table, size, 10, on_push_wide);
  wire(table, size, 11, on_pop);
  if (callbacks->get_module_table(kModuleCore2, &table, &size) == 0) return 1;
  wire(table, size, 2, on_domain_start);
  wire(table, size, 3, on_domain_end);
  wire(table, size, 4, on_domain_push);
  wire(table, size, 5, on_domain_pop);
  wire(table, size, 10, on_register_ascii);
  wire(table, size, 11, on_register_wide);
  wire(table, size, 12, on_create_domain_ascii);
  wire(table, size, 13, on_create_domain_wide);
  return 1;
}
