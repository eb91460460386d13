// Stands for a library of operators, under a name that the shim takes for one: the user's lines lie above it.
#include "tests/runtime/clients/operators.h"

namespace {

[[gnu::noinline]] int dispatch(int depth, const client::Driver& cu, CUfunction kernel) {
  if (depth > 0) {
    volatile int below = dispatch(depth - 1, cu, kernel);
    return below;
  }
  volatile int result = cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  return result;
}

template <int Way>
[[gnu::noinline]] int go(const client::Driver& cu, CUfunction kernel) {
  volatile int result = dispatch(12, cu, kernel);
  return result + Way;
}

[[gnu::noinline]] int module_of_library(const client::Driver& cu, CUfunction kernel) {
  volatile int result = operators::launch(cu, kernel);
  return result;
}

}  // namespace

operators::Module operators::own_module() { return &module_of_library; }

int operators::launch(const client::Driver& cu, CUfunction kernel) { return dispatch(3, cu, kernel); }

int operators::call(Module module, const client::Driver& cu, CUfunction kernel) {
  volatile int result = module(cu, kernel);
  return result;
}

int operators::add(const client::Driver& cu, CUfunction kernel, bool other_way) {
  return other_way ? go<2>(cu, kernel) - 2 : go<1>(cu, kernel) - 1;
}
