#include "rules/subprocess.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

extern char** environ;

namespace syncsniff {
namespace {

// Puts the text into a memory file for the program's standard input, so that a program which writes before it has read
// everything cannot deadlock.
int memory_file(const std::string& text) {
  const int fd = memfd_create("syncsniff-text", MFD_CLOEXEC);
  if (fd < 0) return -1;
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(fd, text.data() + at, text.size() - at);
    if (written <= 0) {
      close(fd);
      return -1;
    }
    at += static_cast<size_t>(written);
  }
  lseek(fd, 0, SEEK_SET);
  return fd;
}

std::string drain(int fd) {
  std::string text;
  std::vector<char> buffer(65536);  // not on the stack, whose limit may be as small (ulimit -s)
  for (;;) {
    const ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got > 0) text.append(buffer.data(), static_cast<size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) return text;
  }
}

}  // namespace

std::string find_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  const std::string folders = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (size_t at = 0; at <= folders.size();) {
    const size_t colon = std::min(folders.find(':', at), folders.size());
    const std::string folder = colon == at ? "." : folders.substr(at, colon - at);
    const std::string candidate = folder + "/" + name;
    struct stat info{};
    if (access(candidate.c_str(), X_OK) == 0 && stat(candidate.c_str(), &info) == 0 && !S_ISDIR(info.st_mode))
      return candidate;
    at = colon + 1;
  }
  return "";
}

bool run_program(const std::vector<std::string>& command, const std::string& input, std::string* output,
                 std::string* errors) {
  int out[2];
  const int in = memory_file(input);
  if (in < 0) return false;
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in);
    return false;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  const int err = errors != nullptr ? memory_file("") : -1;
  if (err >= 0)
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in);
  close(out[1]);
  if (error == 0) *output = drain(out[0]);
  close(out[0]);
  int status = 0;
  while (error == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (err >= 0) {
    lseek(err, 0, SEEK_SET);
    *errors = drain(err);
    close(err);
  }
  return error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace syncsniff
