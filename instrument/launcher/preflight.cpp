#include "instrument/launcher/preflight.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>
#include <string_view>
#include <vector>

#include "instrument/reader/elf_file.h"
#include "rules/file_limit.h"
#include "rules/regular_file.h"
#include "rules/subprocess.h"
#include "runtime/trace/format.h"

namespace syncsniff::launcher {
namespace {

constexpr size_t kFirstLineBytes = 80;      // bash examines as many
constexpr size_t kInterpreterBytes = 4096;  // the kernel reads 256
constexpr int kMaxInterpreters = 4;         // the kernel's own limit on `#!` chains
// The smallest trace that the shim creates (runtime/trace/trace_file.cpp).
constexpr off_t kFirstTraceBytes = trace::kHeaderBytes + 16 * trace::kChunkBytes;

std::string resolve(const std::string& command) {
  if (command.find('/') != std::string::npos) {
    if (access(command.c_str(), F_OK) == 0) return command;
    throw LaunchError(command + ": no such file; give the path of the program to run");
  }
  const std::string path = find_on_path(command);
  if (path.empty()) {
    struct stat info{};
    const bool here = stat(command.c_str(), &info) == 0;
    if (here && S_ISDIR(info.st_mode)) return command;  // check_mode() reports this
    throw LaunchError(command + ": command not found; " + (here ? "write ./" + command : "check the name or PATH"));
  }
  return path;
}

void check_mode(const std::string& path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) throw LaunchError(path + ": " + std::strerror(errno) + "; check the path");
  if (const std::string problem = why_not_regular(path); !problem.empty())
    throw LaunchError(path + ": " + problem + "; give the path of a program");
  if (access(path.c_str(), X_OK) != 0 || (info.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0)
    throw LaunchError(path + ": not executable; run chmod +x, or put its interpreter before it");
  if ((info.st_mode & (S_ISUID | S_ISGID)) != 0)
    throw LaunchError(path +
                      ": setuid or setgid, and such programs ignore preloaded libraries; run a copy without that bit");
  if (getxattr(path.c_str(), "security.capability", nullptr, 0) > 0)
    throw LaunchError(path +
                      ": has file capabilities, and such programs ignore preloaded libraries; run a copy without them");
}

// Returns the first bytes of a file, at most `most`.
std::string beginning_of(const std::string& path, size_t most) {
  std::string ignored, bytes(most, '\0');
  const int fd = open_regular_file(path, ignored);
  if (fd < 0) return "";
  const ssize_t got = pread(fd, bytes.data(), most, 0);
  close(fd);
  bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return bytes;
}

// Returns the words of a `#!` line; empty: there is none.
std::vector<std::string> interpreter_words(const std::string& path) {
  const std::string start = beginning_of(path, kInterpreterBytes);
  if (start.compare(0, 2, "#!") != 0) return {};
  std::istringstream words(start.substr(2, start.find('\n') - 2));
  std::vector<std::string> list;
  for (std::string word; words >> word;) list.push_back(word);
  return list;
}

[[noreturn]] void cut_off(const std::string& path) {
  throw LaunchError(path + ": an ELF file that is cut off; build or copy the program again");
}

// The test that a shell makes before it runs a file as a script: no zero byte in the first line.
void check_text(const std::string& path) {
  const std::string start = beginning_of(path, kFirstLineBytes);
  const std::string_view bytes(start);
  if (bytes.substr(0, SELFMAG) == ELFMAG) cut_off(path);
  if (bytes.substr(0, bytes.find('\n')).find('\0') != std::string_view::npos)
    throw LaunchError(path + ": neither a program nor a script; give the path of a program");
}

std::string interpreter_of(const std::string& script, const std::vector<std::string>& words) {
  const std::string& first = words[0];
  if (first.substr(first.rfind('/') + 1) != "env") {
    if (access(first.c_str(), X_OK) != 0)
      throw LaunchError(script + ": its interpreter " + first + " is missing; install it");
    return first;
  }
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i][0] == '-' || words[i].find('=') != std::string::npos) continue;
    const std::string found = find_on_path(words[i]);
    if (found.empty()) throw LaunchError(script + ": its interpreter " + words[i] + " is not on PATH; install it");
    return found;
  }
  return first;
}

void check_elf(const std::string& path, const reader::ElfFacts& facts) {
  if (facts.cut_off) cut_off(path);
  if (!facts.is_64 || facts.machine != EM_X86_64)
    throw LaunchError(path + ": not an x86-64 program; syncsniff runs those alone");
  if (!facts.has_interpreter)
    throw LaunchError(path + ": statically linked, so nothing can be preloaded into it; link it dynamically");
}

}  // namespace

std::string check_command(const std::string& command) {
  const std::string path = resolve(command);
  std::string binary = path;
  for (int depth = 0; depth < kMaxInterpreters; ++depth) {
    check_mode(binary);
    if (const auto facts = reader::read_elf_facts(binary)) {
      check_elf(binary, *facts);
      return path;
    }
    const auto words = interpreter_words(binary);
    if (words.empty()) {  // execvp runs it with /bin/sh
      check_text(binary);
      return path;
    }
    binary = interpreter_of(binary, words);
  }
  throw LaunchError(path + ": too many interpreters; run the last one directly");
}

void check_output(const std::string& path) {
  struct stat info{};
  if (stat(path.c_str(), &info) == 0)
    throw LaunchError(path + ": exists already, and traces are never overwritten; remove it or give another -o");
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  if (stat(folder.c_str(), &info) != 0)
    throw LaunchError(folder + ": no such folder for the trace; create it or give another -o");
  const std::string probe = path + ".probe" + std::to_string(getpid());
  const int fd = open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) throw LaunchError(path + ": cannot be written: " + std::strerror(errno) + "; give another -o");
  const int error = posix_fallocate(fd, 0, kFirstTraceBytes);
  close(fd);
  unlink(probe.c_str());
  if (error != 0)
    throw LaunchError(path + ": no room for a trace: " + std::strerror(error) + "; " +
                      write_remedy(error, "free some space or give another -o"));
}

std::string default_output(const std::string& command) {
  const std::string base = "syncsniff-" + command.substr(command.rfind('/') + 1) + "-" + std::to_string(getpid());
  std::string path = "./" + base + ".sstrace";
  for (int i = 2; access(path.c_str(), F_OK) == 0; ++i) path = "./" + base + "-" + std::to_string(i) + ".sstrace";
  return path;
}

}  // namespace syncsniff::launcher
