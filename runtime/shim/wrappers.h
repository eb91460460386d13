// The generated wrappers, and the hand-written ones of cuGetProcAddress.
#pragma once

namespace syncsniff::shim {

// The wrapper of `api` that calls the real pointer in `slot` (api_info.h).
void* wrapper(unsigned api, unsigned slot) noexcept;

// cuGetProcAddress takes four arguments, its _v2 five. There is one wrapper per real pointer here, too.
void* proc_address_wrapper(void* real, bool v2) noexcept;
void lock_proc_address() noexcept;  // around a fork
void unlock_proc_address() noexcept;

}  // namespace syncsniff::shim
