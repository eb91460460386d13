#include "common/options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

[[noreturn]] void usage(const char* program, bool takes_input_from) {
  std::fprintf(stderr,
               "usage: %s [--steps N] [--batch N] [--hidden N] [--layers N] [--input-mb N] [--print-every N] "
               "[--plant-nan STEP]%s\n",
               program, takes_input_from ? " [--input-from device|prefetch]" : "");
  std::exit(2);
}

// False if it is not a number from `least` to 2^24.
bool parse_number(const char* text, int least, int& number) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < least || value > 1 << 24) return false;
  number = static_cast<int>(value);
  return true;
}

bool parse_source(const char* text, InputFrom& from) {
  if (std::strcmp(text, "device") != 0 && std::strcmp(text, "prefetch") != 0) return false;
  from = std::strcmp(text, "device") == 0 ? InputFrom::kDevice : InputFrom::kPrefetch;
  return true;
}

}  // namespace

Options parse_options(int argc, char** argv, bool takes_input_from) {
  Options options;
  const struct {
    const char* name;
    int least;
    int* value;
  } numbers[] = {{"--steps", 1, &options.steps},        {"--batch", 1, &options.batch},
                 {"--hidden", 1, &options.hidden},      {"--layers", 1, &options.layers},
                 {"--input-mb", 1, &options.input_mb},  {"--print-every", 1, &options.print_every},
                 {"--plant-nan", 0, &options.plant_nan}};
  for (int i = 1; i < argc; i += 2) {
    bool understood = false;
    if (i + 1 < argc) {
      for (const auto& number : numbers) {
        if (std::strcmp(argv[i], number.name) == 0) understood = parse_number(argv[i + 1], number.least, *number.value);
      }
      if (takes_input_from && std::strcmp(argv[i], "--input-from") == 0) {
        understood = parse_source(argv[i + 1], options.input_from);
      }
    }
    if (!understood) usage(argv[0], takes_input_from);
  }
  return options;
}
