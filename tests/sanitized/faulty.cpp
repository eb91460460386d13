// Does what a sanitizer must stop: a signed overflow, or with an argument a read of freed memory. Ends well without
// one.
#include <climits>
#include <memory>

int main(int argc, char**) {
  if (argc > 1) {
    auto owner = std::make_unique<int>(argc);
    const int* const gone = owner.get();
    owner.reset();
    return *gone == -1;
  }
  const volatile int most = INT_MAX;
  return most + argc == 7;
}
