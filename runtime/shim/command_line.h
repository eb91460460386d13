// The program's arguments, read from its own memory, so that no file need be opened.
#pragma once

#include <cstddef>

namespace syncsniff::shim {

// To be called with the arguments that this library's constructor gets.
void remember_arguments(int count, char** arguments) noexcept;

// Writes the arguments, separated by '\0', as the program left them, truncated to `room` bytes. Secrets are masked
// unless SYNCSNIFF_FULL_COMMAND_LINE is set.
void write_command_line(char* out, size_t room) noexcept;

}  // namespace syncsniff::shim
