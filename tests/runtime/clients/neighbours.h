// What a program has besides CUDA and must find as it left it; and programs that use processes and signals oddly.
#pragma once

#include "tests/runtime/clients/driver.h"

namespace client {

void process_state(const Driver& driver);
void raw_clone(const Driver& driver);
void executes_itself(const Driver& driver);
void handler_waits(const Driver& driver);
void cuts_the_trace(const Driver& driver);
void locks_its_memory(const Driver& driver);

}  // namespace client
