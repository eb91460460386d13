#include "analyzer/frontend/arguments.h"

#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "rules/regular_file.h"

namespace syncsniff::frontend {
namespace {

constexpr int kMaxResponseDepth = 16;  // gcc's own limit on nesting is 200; real builds nest one deep
constexpr int kMaxResponseFiles = 1000;
constexpr size_t kMaxArguments = 1'000'000;  // a response file that includes itself twice doubles at each level

std::string base_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

bool is_assignment(const std::string& word) {
  const size_t equals = word.find('=');
  return equals != std::string::npos && equals > 0 && word[0] != '-' && word.find('/') > equals;
}

bool is_launcher(const std::string& name) {
  for (const char* launcher : {"ccache", "sccache", "distcc", "icecc", "buildcache", "gomacc", "fastbuild", "env",
                               "time", "nice", "cmake", "ionice", "pump", "scan-build", "goma", "rewrapper"})
    if (name == launcher) return true;
  return false;
}

// `x86_64-linux-gnu-g++-12` -> `g++`: the target before and the version after the name say nothing about the options.
std::string plain_compiler_name(std::string name) {
  if (name.size() > 4 && name.compare(name.size() - 4, 4, ".exe") == 0) name.resize(name.size() - 4);
  while (!name.empty() && (std::isdigit(static_cast<unsigned char>(name.back())) || name.back() == '.'))
    name.pop_back();
  while (!name.empty() && name.back() == '-') name.pop_back();
  const size_t dash = name.rfind('-');
  return dash == std::string::npos ? name : name.substr(dash + 1);
}

bool looks_like_compiler(const std::string& word) {
  const std::string name = plain_compiler_name(base_name(word));
  for (const char* known :
       {"gcc", "g++", "cc",    "c++",   "clang",  "clang++", "nvcc",  "hipcc", "icx",          "icpx",   "icpc",
        "icc", "nvc", "nvc++", "mpicc", "mpicxx", "mpic++",  "mpiCC", "CC",    "nvcc_wrapper", "zapcc++"})
    if (name == known) return true;
  return false;
}

// Index of the compiler's name in the command; 0 when nothing precedes it.
size_t compiler_index(const std::vector<std::string>& command) {
  size_t first = 0;
  while (first < command.size() && is_assignment(command[first])) ++first;
  if (first == command.size()) return 0;
  if (!is_launcher(base_name(command[first]))) return first;
  // A launcher's own options and assignments are between it and the compiler: takes the first word that names a known
  // compiler.
  for (size_t i = first + 1; i < command.size(); ++i)
    if (!command[i].empty() && command[i][0] != '-' && looks_like_compiler(command[i])) return i;
  return first + 1 < command.size() && command[first + 1][0] != '-' ? first + 1 : first;
}

// `files`: how many response files were read so far. It is limited, since files that each name ten others soon name ten
// thousand.
void expand(const std::string& word, const std::string& directory, int depth, int& files,
            std::vector<std::string>& out) {
  if (word.size() < 2 || word[0] != '@') {
    out.push_back(word);
    return;
  }
  if (depth >= kMaxResponseDepth || ++files > kMaxResponseFiles || out.size() > kMaxArguments)
    throw std::runtime_error(
        word.substr(1) +
        ": response file includes itself, nests too deep or names too many; check the build's command");
  for (const std::string& inner : read_words(word.substr(1), directory))
    expand(inner, directory, depth + 1, files, out);
}

}  // namespace

std::string absolute_path(const std::string& path, const std::string& directory) {
  std::filesystem::path whole(path);
  if (whole.is_relative()) whole = std::filesystem::path(directory) / whole;
  if (whole.is_relative()) whole = std::filesystem::current_path() / whole;
  std::string text = whole.lexically_normal().string();
  if (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

std::vector<std::string> split_command(const std::string& text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (!quote && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
      continue;
    }
    // Between double quotes a backslash escapes only these; between single quotes it is a plain character.
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < text.size() &&
                         (!quote || std::string_view("\"\\$`\n").find(text[i + 1]) != std::string_view::npos);
    if (escapes) c = text[++i];
    words.back() += c;
  }
  return words;
}

std::vector<std::string> split_words(const std::string& text) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char*, 64> words;
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  return {words.begin(), words.end()};
}

std::vector<std::string> read_words(const std::string& path, const std::string& directory) {
  const std::string whole = absolute_path(path, directory);
  std::string problem;
  const std::optional<std::string> text = read_regular_file(whole, problem);
  if (text) return split_words(*text);
  if (!why_not_regular(whole).empty())
    throw std::runtime_error(whole + ": response file " + problem + "; write it to a file first");
  throw std::runtime_error(whole + ": response file cannot be read; build the project once so that it exists");
}

CompilerCall split_call(const std::vector<std::string>& command, const std::string& directory) {
  CompilerCall call;
  size_t next = 0;
  if (!command.empty()) {
    const size_t at = compiler_index(command);
    if (command[at].empty() || command[at][0] == '-' || command[at][0] == '@') {
      next = at;
    } else {
      call.program = command[at];
      next = at + 1;
    }
  }
  const std::string name = plain_compiler_name(base_name(call.program));
  if (name == "nvcc" || base_name(call.program) == "nvcc_wrapper") call.compiler = Compiler::kNvcc;
  call.cxx_driver =
      name.ends_with("++") || name == "mpicxx" || name == "mpiCC" || name == "CC" || name == "icpc" || name == "icpx";
  int files = 0;
  for (; next < command.size(); ++next) expand(command[next], directory, 0, files, call.arguments);
  return call;
}

}  // namespace syncsniff::frontend
