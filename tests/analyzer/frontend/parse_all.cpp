// Parses every unit of a compile database and prints errors and seconds for each: parse_all DB [--no-cuda] [-v]
// [FILTER]
#include <cstdio>
#include <cstring>
#include <exception>

#include "tests/analyzer/frontend/parse_check.h"

using namespace syncsniff::frontend;

int main(int argc, char** argv) {
  std::string database, filter;
  bool no_cuda = false, verbose = false;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--no-cuda"))
      no_cuda = true;
    else if (!std::strcmp(argv[i], "-v"))
      verbose = true;
    else
      (database.empty() ? database : filter) = argv[i];
  }
  try {
    Toolchain toolchain = find_toolchain();
    if (no_cuda) toolchain.cuda_root.clear();
    int clean = 0, total = 0;
    double seconds = 0;
    for (const CompileCommand& command : load_compile_database(database, nullptr)) {
      if (command.file.find(filter) == std::string::npos) continue;
      const UnitCommand unit = translate(command, toolchain);
      if (verbose) {
        for (const std::string& word : unit.clang_args) std::printf("%s ", word.c_str());
        std::printf("\n  ignored:");
        for (const std::string& word : unit.ignored) std::printf(" [%s]", word.c_str());
        std::printf("\n");
      }
      const ParseOutcome outcome = parse_unit(unit);
      std::printf("%3zu errors%s %6.2f s  %s\n", outcome.errors.size(), outcome.fatal ? " FATAL" : "", outcome.seconds,
                  unit.file.c_str());
      for (size_t i = 0; i < outcome.errors.size() && i < (verbose ? 1000u : 4u); ++i)
        std::printf("      %s\n", outcome.errors[i].c_str());
      std::fflush(stdout);
      ++total;
      clean += outcome.errors.empty();
      seconds += outcome.seconds;
    }
    std::printf("%d of %d units without an error, %.1f s\n", clean, total, seconds);
    return clean == total ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parse_all: error: %s\n", error.what());
    return 2;
  }
}
