// What the test clients do, by name; each prints what it measured around its own calls, for the test to compare.
#pragma once

#include "tests/runtime/clients/driver.h"

namespace client {

// False: no scenario of that name.
bool run_scenario(const Driver& driver, const char* name);

}  // namespace client
