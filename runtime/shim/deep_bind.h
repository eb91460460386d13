// Libraries loaded with RTLD_DEEPBIND look into their own dependencies first, libc among them, and would pass us by:
// after such a load, the new libraries' import slots for the symbols we export are pointed at us.
#pragma once

namespace syncsniff::shim {

// Loads `file` as the caller would have and mends the new libraries; nullptr: let the real dlopen do it (it needs the
// caller's own search path, or fails).
void* open_deep_bound(const char* file, int flags, const void* caller) noexcept;

}  // namespace syncsniff::shim
