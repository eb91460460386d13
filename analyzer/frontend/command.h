// A compile command as the user's build wrote it, translated into one that Clang's host pass accepts.
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
  std::string problem = {};            // why the entry cannot be used; empty: it can
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

// The same command, with host templates that are compiled for the host only. nvcc lets host templates call device
// functions, and also lets a template be declared without __host__ and defined with it: Clang accepts either, but not
// both in one reading.
UnitCommand without_host_device_templates(UnitCommand command);

// Paths of tools and headers on this machine.
struct Toolchain {
  std::string cuda_root;       // folder with include/cuda_runtime.h; empty: none, use the fallback headers
  std::string data_directory;  // syncsniff's own share folder, which contains clang-headers/
  std::string resource_dir;    // Clang's builtin headers
  bool per_thread_default_stream = false;
};

// Errors: std::runtime_error naming the file (an unreadable response file, say) or the option.
UnitCommand translate(const CompileCommand& command, const Toolchain& toolchain);

// Finds CUDA (CUDA_HOME, CUDA_PATH, nvcc on PATH, /usr/local/cuda), Clang's resource folder, our data.
Toolchain find_toolchain();
std::string find_cuda_root();           // empty: there is none
std::string find_resource_directory();  // throws std::runtime_error with one line

// No database was found.
struct NoDatabase : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The database that a user expects: `path` (folder or file) if given, else searched from the working directory upward,
// and in build*/ beside each. Errors: std::runtime_error with one line that says what was looked for and what to do; it
// is a NoDatabase if `path` is empty and nothing was found.
std::vector<CompileCommand> load_compile_database(const std::string& path, std::string* found_at);

// A command for a file that no database names: by its extension, with the flags of the most similar file of the
// database, if any.
CompileCommand guess_command(const std::string& file, const std::vector<CompileCommand>& database);

}  // namespace syncsniff::frontend
