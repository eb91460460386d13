// Programs that close, take over and pass on descriptors, as daemons and launchers do.
#pragma once

#include "tests/runtime/clients/driver.h"

namespace client {

void closed_and_written(const Driver& driver);
void pipe_after_closing(const Driver& driver);
void descriptor_storm(const Driver& driver);
void few_descriptors(const Driver& driver);

// Byte `at` of the storm's file `number`.
inline char storm_byte(int number, long at) { return static_cast<char>('a' + (number * 7 + at) % 26); }

}  // namespace client
