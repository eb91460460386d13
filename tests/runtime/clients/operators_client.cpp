// Two lines of a program ask a library of operators for the same kernel, at the same depth: in turns, then in an order
// that does not repeat. Prints how often each did. With an argument: the library calls its own module, then mostly the
// program's, which has the same frames.
#include <cstdio>

#include "tests/runtime/clients/operators.h"

namespace {

template <int Line>
[[gnu::noinline]] int line(const client::Driver& cu, CUfunction kernel, bool other_way) {
  volatile int result = operators::add(cu, kernel, other_way);
  return result + Line;
}

struct Asked {
  int first = 0, second = 0;
};

void ask(const client::Driver& cu, CUfunction kernel, bool second, bool other_way, Asked& asked) {
  CHECK_CU(second ? line<2>(cu, kernel, other_way) - 2 : line<1>(cu, kernel, other_way) - 1);
  ++(second ? asked.second : asked.first);
}

[[gnu::noinline]] int own_module(const client::Driver& cu, CUfunction kernel) {
  volatile int result = operators::launch(cu, kernel);
  return result;
}

[[gnu::noinline]] int train(operators::Module module, const client::Driver& cu, CUfunction kernel) {
  volatile int result = operators::call(module, cu, kernel);
  return result;
}

void call_modules(const client::Driver& cu, CUfunction kernel, Asked& asked) {
  const operators::Module modules[] = {operators::own_module(), &own_module};
  for (int i = 0; i < 4400; ++i) {
    volatile int own = i >= 400 && i % 8 != 0 ? 1 : 0;  // or the compiler makes two lines of the next one
    CHECK_CU(train(modules[own], cu, kernel));
    ++(own != 0 ? asked.second : asked.first);
  }
}

}  // namespace

int main(int argc, char**) {
  const client::Driver cu = client::open_driver(client::Way::kProcAddress);
  CHECK_CU(cu.cuInit(0));
  CUfunction kernel = nullptr;
  CHECK_CU(cu.cuModuleGetFunction(&kernel, nullptr, "busy_0us"));
  Asked asked;
  if (argc > 1) {
    call_modules(cu, kernel, asked);
    std::printf("first %d\nsecond %d\n", asked.first, asked.second);
    return 7;
  }
  for (int i = 0; i < 400; ++i) ask(cu, kernel, i % 2 != 0, false, asked);
  // Long after the order seemed to be known, other lines and ways come in between.
  unsigned seed = 5;
  for (int i = 0; i < 4000; ++i) {
    seed = seed * 1664525u + 1013904223u;
    ask(cu, kernel, (seed >> 28) == 0, (seed >> 24 & 15) == 0, asked);
  }
  std::printf("first %d\nsecond %d\n", asked.first, asked.second);
  return 7;
}
