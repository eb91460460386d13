// The few driver functions that the shim itself calls. They are resolved when cuInit has succeeded; none of them waits.
#pragma once

#include <cstdint>

namespace syncsniff::shim {

struct ThreadState;

// Finds the functions with the real dlsym, in the library that the program's cuInit came from.
void resolve_driver() noexcept;

int driver_current_device() noexcept;  // -1: no context
int driver_device_count() noexcept;
int driver_version() noexcept;  // 0: not known; may be called before resolve_driver

// Writes the driver's description of each device to the trace.
void write_devices(ThreadState& thread) noexcept;

// Kind of an address that no known allocation covers, from CU_POINTER_ATTRIBUTE_MEMORY_TYPE and IS_MANAGED.
enum class PointerKind : uint8_t { kUnregistered, kHost, kDevice, kManaged, kUnknown };
PointerKind driver_pointer_kind(uint64_t address) noexcept;

}  // namespace syncsniff::shim
