// A compile command as the user's build wrote it, turned into one that Clang's host pass accepts.
// Knows nvcc's, gcc's and clang's option lists; reads no source.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace syncsniff::frontend {

// One entry of compile_commands.json, unchanged.
struct CompileCommand {
  std::string directory;
  std::string file;                    // as written; relative to directory
  std::vector<std::string> arguments;  // compiler first
  std::string problem = {};            // why the entry says nothing that can be read; empty: it does
};

enum class Language { kC, kCxx, kCuda };

// What to parse, and how. `clang_args` has neither the program name nor the file.
struct UnitCommand {
  std::string file;  // absolute
  std::string directory;
  Language language = Language::kCxx;
  bool uses_cuda = false;  // the unit sees CUDA's headers (always true for kCuda)
  std::vector<std::string> clang_args;
  std::vector<std::string> ignored;  // options dropped, for --verbose
  bool per_thread_default_stream = false;
};

// The same with host templates for the host alone. nvcc lets them call what is for the device, and also lets a template
// be declared without __host__ and defined with it: Clang can do either, not both.
UnitCommand without_host_device_templates(UnitCommand command);

// Where things are on this machine.
struct Toolchain {
  std::string cuda_root;       // folder that holds include/cuda_runtime.h; empty: none, use the fallback headers
  std::string data_directory;  // syncsniff's own share folder: clang-headers/ stands in it
  std::string resource_dir;    // Clang's builtin headers
  bool per_thread_default_stream = false;
};

// Errors: std::runtime_error naming the file (an unreadable response file, say) or the option.
UnitCommand translate(const CompileCommand& command, const Toolchain& toolchain);

// Finds CUDA (CUDA_HOME, CUDA_PATH, nvcc on PATH, /usr/local/cuda), Clang's resource folder, our data.
Toolchain find_toolchain();
std::string find_cuda_root();           // empty: there is none
std::string find_resource_directory();  // throws std::runtime_error with one line

// There is no database where one is looked for.
struct NoDatabase : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The database a user expects: `path` (folder or file) when given, else upward from the working directory, and in
// build*/ beside each. Errors: std::runtime_error with one line that says what was looked for and what to do, and of
// these NoDatabase if `path` is empty and nothing was found.
std::vector<CompileCommand> load_compile_database(const std::string& path, std::string* found_at);

// A command for a file that no database names: by its extension, with the flags of its nearest sibling if any.
CompileCommand guess_command(const std::string& file, const std::vector<CompileCommand>& database);

}  // namespace syncsniff::frontend
