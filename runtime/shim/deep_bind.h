// Handles libraries loaded with RTLD_DEEPBIND. They look up symbols in their own dependencies first, libc among them,
// and would bypass the shim: after such a load, the new libraries' import slots for symbols that we export are
// redirected to us.
#pragma once

namespace syncsniff::shim {

// Loads `file` as the caller would have and redirects the new libraries' slots; nullptr: the real dlopen must do it (it
// needs the caller's own search path, or fails).
void* open_deep_bound(const char* file, int flags, const void* caller) noexcept;

}  // namespace syncsniff::shim
