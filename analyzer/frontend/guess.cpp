#include <algorithm>
#include <filesystem>

#include "analyzer/frontend/arguments.h"
#include "analyzer/frontend/command.h"
#include "analyzer/frontend/language.h"

namespace syncsniff::frontend {
namespace {

namespace fs = std::filesystem;

bool is_cuda(FileKind kind) { return kind == FileKind::kCuda || kind == FileKind::kCudaHeader; }
bool is_c(FileKind kind) { return kind == FileKind::kC; }

// How suitable the flags of `candidate` are for `file`: same stem, then same language, then the longest common folder.
long kinship(const std::string& file, const std::string& candidate) {
  const fs::path a(file), b(candidate);
  const FileKind kind = file_kind(file), other = file_kind(candidate);
  long shared = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j) ++shared;
  long score = shared * 16;
  if (is_cuda(kind) == is_cuda(other)) score += kind == FileKind::kCHeader ? 2 : 8;
  if (!is_header(kind) && is_c(kind) == is_c(other)) score += 4;
  if (a.stem() == b.stem()) score += 1000;
  return score;
}

const CompileCommand* nearest(const std::string& file, const std::vector<CompileCommand>& database) {
  const CompileCommand* best = nullptr;
  long best_score = -1;
  for (const CompileCommand& command : database) {
    const long score = kinship(file, absolute_path(command.file, command.directory));
    if (score <= best_score) continue;
    best = &command;
    best_score = score;
  }
  return best;
}

// -I options for folders where projects keep headers, from the file's own folder up to the repository's top.
std::vector<std::string> likely_include_options(const fs::path& file) {
  std::vector<std::string> options;
  int levels = 0;
  for (fs::path level = file.parent_path(); levels < 4; level = level.parent_path(), ++levels) {
    std::error_code none;
    if (levels > 0) options.push_back("-I" + level.string());
    for (const char* inner : {"include", "includes", "inc", "src"})
      if (fs::is_directory(level / inner, none)) options.push_back("-I" + (level / inner).string());
    if (fs::exists(level / ".git", none) || level == level.parent_path()) break;
  }
  return options;
}

CompileCommand from_scratch(const std::string& file) {
  CompileCommand command;
  command.file = file;
  command.directory = fs::path(file).parent_path().string();
  const FileKind kind = file_kind(file);
  if (is_cuda(kind))
    command.arguments = {"nvcc", "-x", "cu"};
  else if (is_c(kind))
    command.arguments = {"cc"};
  else
    command.arguments = {"c++", "-std=gnu++20"};  // LibTorch's headers need it, and little other code breaks with it
  for (std::string& option : likely_include_options(file)) command.arguments.push_back(std::move(option));
  command.arguments.insert(command.arguments.end(), {"-c", file});
  return command;
}

bool names_file(const std::string& word, const CompileCommand& sibling) {
  return word == sibling.file ||
         (!word.empty() && word[0] != '-' &&
          absolute_path(word, sibling.directory) == absolute_path(sibling.file, sibling.directory));
}

}  // namespace

CompileCommand guess_command(const std::string& file, const std::vector<CompileCommand>& database) {
  const std::string whole = absolute_path(file, ".");
  const CompileCommand* sibling = nearest(whole, database);
  if (!sibling) return from_scratch(whole);

  const FileKind kind = file_kind(whole);
  const CompilerCall call = split_call(sibling->arguments, sibling->directory);
  CompileCommand command;
  command.file = whole;
  command.directory = sibling->directory;
  const bool lends_cuda = is_cuda(file_kind(sibling->file)) || call.compiler == Compiler::kNvcc;
  if (is_cuda(kind) && call.compiler != Compiler::kNvcc)
    command.arguments = {"nvcc"};
  else
    command.arguments = {call.program.empty() ? "c++" : call.program};
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const std::string& word = call.arguments[i];
    if (names_file(word, *sibling)) continue;
    if (word == "-x" && i + 1 < call.arguments.size()) {
      ++i;
      continue;
    }
    command.arguments.push_back(word);
  }
  if (is_cuda(kind) || (kind == FileKind::kCHeader && lends_cuda)) {
    command.arguments.insert(command.arguments.end(), {"-x", "cu"});
  } else if (is_header(kind)) {
    command.arguments.insert(command.arguments.end(),
                             {"-x", is_c(file_kind(sibling->file)) && !call.cxx_driver ? "c" : "c++"});
  }
  command.arguments.push_back(whole);
  return command;
}

}  // namespace syncsniff::frontend
