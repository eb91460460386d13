// Copies to the device whose bytes are the same as before, or not.
#pragma once

#include "tests/runtime/clients/driver.h"

namespace client {

// By the number of KiB: 1024 of pinned memory, three times the same; 512 of pageable memory, three times others; 256
// from two addresses, the same bytes; 128 of zeros; 64, and 64 with 8 bytes, that end where a page begins that nobody
// may read. `errno` stays as it was, or the client fails.
void sends_again(const Driver& driver);
// What is not looked at: 2 KiB, managed memory, to the host, on the device, a captured stream; an address that cannot
// be read, which the driver refuses.
void sends_what_is_left_alone(const Driver& driver);
// Forty steps of 2 ms that wait, launch, and send 4 MiB of pageable memory that stay the same, and 1 MiB that do not.
void sends_each_step(const Driver& driver);
// Copies where the system refuses process_vm_readv; prints "no_filter" if it does not let itself be told to.
void sends_where_reading_is_refused(const Driver& driver);

}  // namespace client
