// Finds real symbols, and the wrapper for each real pointer.
// The rule of this folder: a wrapper calls exactly the function that its caller would have got without the shim.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/shim/api_info.h"

namespace syncsniff::shim {

struct SymbolName {
  const char* name;
  uint16_t api;
  uint8_t per_thread;
};
struct VersionedName {
  const char* name;
  int version;
  uint16_t api;
};

struct Slot {
  std::atomic<void*> real;
  bool per_thread;
};

// The real dlsym and dlopen of libc. Never null once the library is loaded: without them nothing is interposed.
void* real_dlsym(void* handle, const char* name) noexcept;
void* real_dlsym_pointer() noexcept;
void* real_dlopen(const char* file, int flags) noexcept;

// The driver's own symbol, not ours: from the library that the program got its driver from, else from the global scope,
// else from a loaded libcuda.so.1. nullptr: there is no driver.
void* real_driver_symbol(const char* name) noexcept;

// What a lookup from `caller` would have found without this library; nullptr: nothing.
void* look_past_us(const char* name, const void* caller) noexcept;

// CUPTI's own function with a name that we export, too; nullptr: there is no CUPTI.
void* real_cupti_symbol(const char* name, const void* caller) noexcept;

// What dlsym(handle, name) must return instead of the real symbol; nullptr: the real dlsym must answer; kNotThere: the
// answer is null, and dlerror is set.
inline void* const kNotThere = reinterpret_cast<void*>(1);
void* decide_dlsym(void* handle, const char* name, const void* caller) noexcept;

// The wrapper that calls `real`, from a free slot; `real` itself if all slots of this function are used.
void* wrapper_for(unsigned api, void* real, bool per_thread) noexcept;
void* wrap_symbol(const char* symbol, void* real) noexcept;                                // by exported name
void* wrap_versioned(const char* name, void* real, int version, uint64_t flags) noexcept;  // cuGetProcAddress

// The real function behind an exported symbol; nullptr when there is none.
void* resolve_direct(unsigned api, unsigned slot) noexcept;

// This library's own export of that name, which stands in for the real one; nullptr: not exported.
void* own_export(const char* name) noexcept;

// True if the address is in this library's code.
bool is_ours(const void* address) noexcept;

// To be called around a fork, so that the child does not inherit a mutex that another thread holds.
void lock_slots() noexcept;
void unlock_slots() noexcept;

// Indexed by slot first: mostly only one slot of a function is in use, and those of all functions are in one page.
extern Slot g_slots[kSlots][kApiCount];
inline Slot& slot_of(unsigned api, unsigned slot) noexcept { return g_slots[slot][api]; }
unsigned unwrapped_pointers() noexcept;  // how many pointers were returned unwrapped for lack of slots

}  // namespace syncsniff::shim
