#include "common/options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

[[noreturn]] void usage(const char* program) {
  std::fprintf(stderr, "usage: %s [--steps N] [--batch N] [--hidden N] [--layers N] [--input-mb N] [--print-every N]\n",
               program);
  std::exit(2);
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  const struct {
    const char* name;
    int* value;
  } known[] = {{"--steps", &options.steps},       {"--batch", &options.batch},
               {"--hidden", &options.hidden},     {"--layers", &options.layers},
               {"--input-mb", &options.input_mb}, {"--print-every", &options.print_every}};
  for (int i = 1; i < argc; i += 2) {
    int* target = nullptr;
    for (const auto& option : known) {
      if (std::strcmp(argv[i], option.name) == 0) target = option.value;
    }
    if (target == nullptr || i + 1 == argc) usage(argv[0]);
    char* end = nullptr;
    const long value = std::strtol(argv[i + 1], &end, 10);
    if (*end != '\0' || value < 1 || value > 1 << 24) usage(argv[0]);
    *target = static_cast<int>(value);
  }
  return options;
}
