#pragma once

#include "tests/runtime/clients/driver.h"

namespace operators {

// Launches `kernel` from deep inside the library, by one of two ways through it.
[[gnu::visibility("default")]] int add(const client::Driver& cu, CUfunction kernel, bool other_way);

// A step of a model, as one is called by a library: the library's own, or a function of the user's.
using Module = int (*)(const client::Driver& cu, CUfunction kernel);
[[gnu::visibility("default")]] Module own_module();
[[gnu::visibility("default")]] int launch(const client::Driver& cu, CUfunction kernel);
[[gnu::visibility("default")]] int call(Module module, const client::Driver& cu, CUfunction kernel);

}  // namespace operators
