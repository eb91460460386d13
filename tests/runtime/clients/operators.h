#pragma once

#include "tests/runtime/clients/driver.h"

namespace operators {

// Launches `kernel` from deep inside the library, by one of two ways through it.
[[gnu::visibility("default")]] int add(const client::Driver& cu, CUfunction kernel, bool other_way);

}  // namespace operators
