// The program's arguments, from its own memory: no file is opened for them.
#pragma once

#include <cstddef>

namespace syncsniff::shim {

// As the constructor of this library gets them.
void remember_arguments(int count, char** arguments) noexcept;

// Arguments separated by '\0', as the program left them, cut after `room` bytes. Secrets are masked unless
// SYNCSNIFF_FULL_COMMAND_LINE is set.
void write_command_line(char* out, size_t room) noexcept;

}  // namespace syncsniff::shim
