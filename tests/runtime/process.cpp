#include "tests/runtime/process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace syncsniff::tests {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

[[noreturn]] void become(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
                         unsigned long file_limit_bytes, const std::string& out, const std::string& err) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  if (file_limit_bytes != 0) {
    const rlimit limit{file_limit_bytes, file_limit_bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
  dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

std::vector<double> Finished::numbers(const std::string& key) const {
  std::vector<double> found;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind(key + " ", 0) == 0) found.push_back(std::stod(line.substr(key.size() + 1)));
  return found;
}

Finished run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
             unsigned long file_limit_bytes) {
  char folder[] = "/tmp/syncsniff-test-XXXXXX";
  if (mkdtemp(folder) == nullptr) return {};
  const std::string out = std::string(folder) + "/out", err = std::string(folder) + "/err";
  const pid_t child = fork();
  if (child == 0) become(command, environment, file_limit_bytes, out, err);
  int status = 0;
  waitpid(child, &status, 0);
  Finished finished;
  if (WIFEXITED(status)) finished.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) finished.signal = WTERMSIG(status);
  finished.output = read_file(out);
  finished.errors = read_file(err);
  std::filesystem::remove_all(folder);
  return finished;
}

std::vector<std::string> traces_at(const std::string& path) {
  std::vector<std::string> found;
  const std::filesystem::path wanted = path;
  for (const auto& entry : std::filesystem::directory_iterator(wanted.parent_path()))
    if (entry.path().filename().string().rfind(wanted.filename().string(), 0) == 0) found.push_back(entry.path());
  return found;
}

}  // namespace syncsniff::tests
