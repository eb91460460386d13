#include "analyzer/doctor.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "analyzer/facts/cache.h"
#include "analyzer/facts/cache_folder.h"
#include "analyzer/folders.h"
#include "analyzer/frontend/command.h"
#include "analyzer/paths.h"
#include "rules/api_facts.h"
#include "rules/regular_file.h"
#include "rules/words.h"

namespace syncsniff {
namespace {

namespace fs = std::filesystem;
using State = Diagnosis::State;

// "12.4" for `#define CUDA_VERSION 12040`; empty: not known.
std::string cuda_version(const std::string& root) {
  constexpr std::string_view kDefine = "#define CUDA_VERSION ";
  std::string problem;
  const std::string header = read_regular_file(root + "/include/cuda.h", problem).value_or("");
  const size_t at = header.find(kDefine);
  int number = 0;
  if (at == std::string::npos ||
      std::from_chars(header.data() + at + kDefine.size(), header.data() + header.size(), number).ec != std::errc())
    return "";
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

Diagnosis cuda_toolkit() {
  std::string root = frontend::find_cuda_root();
  if (root.size() > 1 && root.back() == '/') root.pop_back();
  if (!root.empty()) {
    const std::string version = cuda_version(root);
    return {"CUDA toolkit", State::kFound, root + (version.empty() ? "" : ", version " + version), ""};
  }
  return {"CUDA toolkit", State::kLimited, "none in CUDA_HOME, beside an nvcc on PATH, or in /usr/local/cuda",
          "sources are read with syncsniff's own declarations of CUDA, cuBLAS, cuDNN and NCCL; thrust and CUB need a "
          "toolkit: install one, or set CUDA_HOME"};
}

Diagnosis clang_headers() {
  try {
    return {"Clang's headers", State::kFound, frontend::find_resource_directory(), ""};
  } catch (const std::exception& error) {
    return {"Clang's headers", State::kMissing, error.what(), ""};
  }
}

// The headers of GCC's or LLVM's C++ library, in the folders where Clang looks for them.
Diagnosis cxx_headers() {
  std::error_code none;
  for (const char* folder : {"/usr/include/c++", "/usr/local/include/c++"})
    for (fs::directory_iterator it(folder, none), end; !none && it != end; it.increment(none))
      if (fs::exists(it->path() / "cmath", none)) return {"C++ headers", State::kFound, it->path().string(), ""};
  for (fs::directory_iterator it("/usr/lib", none), end; !none && it != end; it.increment(none)) {
    const fs::path library = it->path() / "include/c++/v1";
    if (it->path().filename().string().starts_with("llvm") && fs::exists(library / "cmath", none))
      return {"C++ headers", State::kFound, library.string(), ""};
  }
  return {"C++ headers", State::kLimited, "none in /usr/include/c++ or of an LLVM in /usr/lib",
          "sources that include <vector> or <cmath> are only partly read: install g++ or libc++-dev, or name the "
          "headers' folder with --extra-arg=-isystemDIR"};
}

Diagnosis tables() {
  try {
    const std::string data = data_directory();
    const size_t functions = ApiTable::load(data + "/rules/apis").all().size();
    const size_t rules = load_rules(data + "/rules/checks").size();
    Words::load(data + "/rules/words.yaml");
    return {"tables", State::kFound,
            data + "/rules: " + std::to_string(rules) + " rules, " + std::to_string(functions) + " functions", ""};
  } catch (const std::exception& error) {
    return {"tables", State::kMissing, error.what(), "install syncsniff again"};
  }
}

// The configuration file, and whether the files that it names can be read.
Diagnosis configuration(const ConfigChoice& choice, std::optional<Config>& config) {
  const char* remedy = "correct it, or give --no-config; docs/configuration.md has every key";
  try {
    const std::string data = data_directory();
    config = load_config(choice, load_rules(data + "/rules/checks"));
    require_files(*config);
    ApiTable apis = ApiTable::load(data + "/rules/apis");
    for (const std::string& file : config->api_facts.value) apis.add_file(file);
    Words words = Words::load(data + "/rules/words.yaml");
    for (const std::string& file : config->words.value) words.add_file(file);
  } catch (const std::exception& error) {
    std::string mistakes = error.what();  // one line each
    for (size_t at = 0; (at = mistakes.find('\n', at)) != std::string::npos;) mistakes.replace(at, 1, "; ");
    return {"configuration", State::kMissing, mistakes, remedy};
  }
  if (!config->file.empty()) return {"configuration", State::kFound, config->file, ""};
  return {"configuration", State::kFound,
          choice.none ? "none, by --no-config" : "no .syncsniff.yaml here or in a folder above: defaults", ""};
}

bool is_below_here(const frontend::CompileCommand& command) { return is_below(unit_path(command), canonical(".")); }

Diagnosis compile_database(const std::optional<Config>& config) {
  try {
    std::string found_at;
    const auto commands = frontend::load_compile_database(config ? config->build_path.value : std::string(), &found_at);
    const std::string found =
        found_at + ", " + std::to_string(commands.size()) + (commands.size() == 1 ? " command" : " commands");
    if (std::any_of(commands.begin(), commands.end(), is_below_here))
      return {"compile database", State::kFound, found, ""};
    return {"compile database", State::kLimited, found + ", none of them for a source of this folder",
            "`syncsniff check` uses it only in the repository whose sources it compiles; name this project's database "
            "with -p"};
  } catch (const frontend::NoDatabase& error) {
    return {"compile database", State::kLimited, error.what(),
            "without it only `syncsniff check FILE...` works: default options, code in other files unknown; "
            "--extra-arg=-IDIR adds an option"};
  } catch (const std::exception& error) {
    return {"compile database", State::kMissing, error.what(), ""};
  }
}

std::string size_text(uint64_t bytes) {
  if (bytes < 1'000'000) return std::to_string((bytes + 999) / 1000) + " KB";
  return std::to_string((bytes + 500'000) / 1'000'000) + " MB";
}

Diagnosis cache() {
  const std::string folder = facts::default_cache_directory();
  if (folder.empty())
    return {"cache", State::kLimited, "none: neither XDG_CACHE_HOME nor HOME is set",
            "set one: without it every run reads all units again"};
  if (!facts::can_write_cache(folder))
    return {"cache", State::kLimited, folder + ": cannot be written",
            "every run reads all units again; set XDG_CACHE_HOME to a folder that can be written"};
  uint64_t bytes = 0, units = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const uint64_t size = it->is_regular_file(ignored) ? it->file_size(ignored) : 0;
    if (ignored) continue;
    bytes += size;
    units += it->path().extension() == ".facts";
  }
  return {"cache", State::kFound, folder + ", " + std::to_string(units) + " units, " + size_text(bytes), ""};
}

}  // namespace

std::vector<Diagnosis> diagnose_check(const ConfigChoice& choice) {
  std::optional<Config> config;
  std::vector<Diagnosis> lines{clang_headers(), cxx_headers(), tables(), cuda_toolkit(), configuration(choice, config)};
  lines.push_back(compile_database(config));
  lines.push_back(cache());
  return lines;
}

}  // namespace syncsniff
