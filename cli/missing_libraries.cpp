#include "cli/missing_libraries.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <vector>

namespace syncsniff::cli {
namespace {

constexpr const char* kClang = "libclang-cpp.so.19.1";
constexpr const char* kUsualFolders[] = {"/usr/lib/x86_64-linux-gnu/", "/usr/lib64/", "/usr/lib/"};
constexpr size_t kMaxBytes = 1 << 16;

// Looking in the usual folders takes 3 us; asking the loader takes 20 ms, since it maps all of Clang.
bool stands_where_it_usually_does() {
  for (const char* folder : kUsualFolders)
    if (access((std::string(folder) + kClang).c_str(), R_OK) == 0) return true;
  return false;
}

// What the loader prints instead of starting `program`: one "NAME => PATH" or "NAME => not found" a line.
std::string ask_loader(const std::string& program) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string trace = "LD_TRACE_LOADED_OBJECTS=1";
  std::vector<char*> environment{trace.data()};
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(nullptr);
  std::string name = program;
  char* words[] = {name.data(), nullptr};
  pid_t child = 0;
  const bool started = posix_spawn(&child, program.c_str(), &actions, nullptr, words, environment.data()) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string out;
  char buffer[4096];
  while (started && out.size() < kMaxBytes) {
    const ssize_t got = read(ends[0], buffer, sizeof buffer);
    if (got <= 0) break;
    out.append(buffer, static_cast<size_t>(got));
  }
  close(ends[0]);
  if (started) waitpid(child, nullptr, 0);
  return out;
}

}  // namespace

std::string missing_libraries(const std::string& program) {
  if (stands_where_it_usually_does()) return "";
  std::istringstream lines(ask_loader(program));
  std::string missing;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("=> not found") == std::string::npos) continue;
    std::string name;
    std::istringstream(line) >> name;
    missing += (missing.empty() ? "" : ", ") + name;
  }
  return missing;
}

}  // namespace syncsniff::cli
