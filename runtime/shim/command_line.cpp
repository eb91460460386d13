#include "runtime/shim/command_line.h"

#include <stdlib.h>

#include <cstring>

#include "runtime/shim/secrets.h"

namespace syncsniff::shim {
namespace {

// Range of the arguments, which the kernel stores contiguously at the top of the stack. A program that overwrites a
// password among them changes what the trace shows, too.
const char *g_begin = nullptr, *g_end = nullptr;

}  // namespace

void remember_arguments(int count, char** arguments) noexcept {
  if (count <= 0 || arguments == nullptr) return;
  g_begin = g_end = arguments[0];
  for (int i = 0; i < count && arguments[i] == g_end; ++i) g_end += std::strlen(g_end) + 1;
}

void write_command_line(char* out, size_t room) noexcept {
  const auto bytes = static_cast<size_t>(g_end - g_begin);
  if (getenv("SYNCSNIFF_FULL_COMMAND_LINE") == nullptr)
    mask_secrets(g_begin, bytes, out, room);
  else
    std::memcpy(out, g_begin, bytes < room ? bytes : room);
}

}  // namespace syncsniff::shim
