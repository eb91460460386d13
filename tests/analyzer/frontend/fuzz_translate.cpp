// libFuzzer's entry for the translator: bytes are one command line, words split as a shell would.
// Linked with -fsanitize=fuzzer it is a fuzzer; linked with mutation_test.cpp it is a test.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "analyzer/frontend/arguments.h"
#include "analyzer/frontend/command.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace syncsniff::frontend;
  const std::string line(reinterpret_cast<const char*>(data), size);
  Toolchain toolchain;
  toolchain.data_directory = "/share";
  CompileCommand command{"/p", "a.cu", split_command(line)};
  try {
    const UnitCommand unit = translate(command, toolchain);
    if (unit.clang_args.empty() || unit.file != "/p/a.cu") __builtin_trap();
    command.file = "b.cuh";
    translate(guess_command("/p/c.h", {command}), toolchain);
  } catch (const std::runtime_error&) {
    // A response file that does not exist is the only fault a command line can have.
    if (line.find('@') == std::string::npos && line.find("opt") == std::string::npos) __builtin_trap();
  }
  return 0;
}
