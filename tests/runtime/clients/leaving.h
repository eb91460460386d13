// Programs that leave a CUDA call before it has returned, or make one within another.
#pragma once

#include "tests/runtime/clients/driver.h"

namespace client {

void left_waits(const Driver& driver);
void left_waits_on_signal_stack(const Driver& driver);
void left_copy(const Driver& driver);
void cancelled_wait(const Driver& driver);
void calls_within_waits(const Driver& driver);
void calls_within_waits_on_signal_stack(const Driver& driver);

}  // namespace client
