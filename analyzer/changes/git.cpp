#include "analyzer/changes/git.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

extern char** environ;

namespace syncsniff::changes {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Temporary files instead of pipes, so that neither process blocks until the other reads.
File temporary_file() {
  File file(std::tmpfile(), std::fclose);
  if (!file) throw std::runtime_error(std::string("a temporary file for git's answer: ") + std::strerror(errno));
  return file;
}

std::string read_all(std::FILE* file) {
  std::string text;
  char bytes[1 << 16];
  if (std::fseek(file, 0, SEEK_SET) != 0)
    throw std::runtime_error(std::string("git's answer: ") + std::strerror(errno));
  for (size_t got; (got = std::fread(bytes, 1, sizeof bytes, file)) > 0;) text.append(bytes, got);
  return text;
}

std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  for (const char* prefix : {"fatal: ", "error: "})
    if (line.starts_with(prefix)) line.erase(0, std::strlen(prefix));
  return line;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

GitAnswer run_git(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> words{"git"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  const File in = temporary_file(), out = temporary_file(), error = temporary_file();
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fseek(in.get(), 0, SEEK_SET) != 0)
    throw std::runtime_error(std::string("a temporary file for git: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(error.get()), STDERR_FILENO);
  pid_t child = 0;
  const int problem = posix_spawnp(&child, "git", &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw std::runtime_error(std::string("git cannot be started: ") + std::strerror(problem));
  GitAnswer answer;
  answer.status = wait_for(child);
  answer.out = read_all(out.get());
  answer.error = first_line(read_all(error.get()));
  return answer;
}

}  // namespace syncsniff::changes
