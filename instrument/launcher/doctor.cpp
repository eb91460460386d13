#include "instrument/launcher/doctor.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "instrument/launcher/environment.h"
#include "instrument/launcher/traces.h"
#include "instrument/sampler/remote_memory.h"
#include "rules/regular_file.h"
#include "rules/subprocess.h"
#include "runtime/trace/cupti_places.h"

namespace syncsniff::launcher {
namespace {

using State = Diagnosis::State;

constexpr int kOldestDriver = 11000;  // CUDA 11.0, in the numbering of cuDriverGetVersion

std::string one_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string path_of(void* handle) {
  link_map* map = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr ? map->l_name : "";
}

template <class Number>
std::optional<Number> number_from(void* handle, const char* name) {
  Number number = 0;
  const auto get = reinterpret_cast<int (*)(Number*)>(dlsym(handle, name));
  if (get == nullptr || get(&number) != 0) return std::nullopt;
  return number;
}

Diagnosis preload_library() {
  try {
    return {"preloaded library", State::kFound, shim_path(), ""};
  } catch (const std::exception& error) {
    return {"preloaded library", State::kMissing, error.what(), ""};
  }
}

// Sets `version`; 0: there is no driver.
Diagnosis driver(int& version) {
  void* handle = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr)
    return {"NVIDIA driver library", State::kMissing, "libcuda.so.1 was not found",
            "install the NVIDIA driver; in a container: start it with --gpus all"};
  version = number_from<int>(handle, "cuDriverGetVersion").value_or(0);
  const std::string found = path_of(handle) + (version != 0 ? ", for CUDA " + version_text(version) : "");
  if (version != 0 && version < kOldestDriver)
    return {"NVIDIA driver library", State::kLimited, found, "untested with drivers older than CUDA 11"};
  return {"NVIDIA driver library", State::kFound, found, ""};
}

// Names of GPUs that the kernel module lists; in many containers it lists none.
std::string gpu_names() {
  namespace fs = std::filesystem;
  std::string names;
  std::error_code error;
  for (fs::directory_iterator it("/proc/driver/nvidia/gpus", error), end; !error && it != end; it.increment(error)) {
    std::string problem;
    const std::string text = read_regular_file((it->path() / "information").string(), problem, 1 << 16).value_or("");
    size_t at = text.find("Model:");
    if (at == std::string::npos) continue;
    at = text.find_first_not_of(" \t", at + 6);
    if (at != std::string::npos) names += (names.empty() ? "" : ", ") + one_line(text.substr(at));
  }
  if (!names.empty()) return names;
  const std::string program = find_on_path("nvidia-smi");
  std::string output;
  if (program.empty() || !run_program({program, "--query-gpu=name", "--format=csv,noheader"}, "", &output)) return "";
  for (size_t at = 0; at < output.size() && names.size() < 1000;) {
    const size_t end = std::min(output.find('\n', at), output.size());
    names += (names.empty() ? "" : ", ") + output.substr(at, end - at);
    at = end + 1;
  }
  return names;
}

Diagnosis gpu() {
  if (!gpu_present())
    return {"GPU", State::kMissing, "no NVIDIA device file (/dev/nvidiactl)",
            "run on a machine with a GPU; in a container: start it with --gpus all. `syncsniff report` needs none"};
  const std::string names = gpu_names();
  return {"GPU", State::kFound, names.empty() ? "/dev/nvidiactl is there; its name is not known" : names, ""};
}

Diagnosis cupti(int driver_version) {
  const char* named = std::getenv("SYNCSNIFF_CUPTI");
  void* handle = trace::open_cupti(named, driver_version / 1000,
                                   [](const char* path) noexcept { return dlopen(path, RTLD_LAZY | RTLD_LOCAL); });
  if (handle == nullptr) {
    return {"CUPTI", State::kLimited,
            named != nullptr ? std::string("SYNCSNIFF_CUPTI=") + named + " cannot be loaded"
                             : "libcupti was not found on the library path or in /usr/local/cuda",
            "what the GPU does is then known only of programs that load a CUPTI themselves, as PyTorch does; install "
            "cuda-cupti of the toolkit, or set SYNCSNIFF_CUPTI to libcupti.so.12 or .13"};
  }
  const auto version = number_from<uint32_t>(handle, "cuptiGetVersion");
  return {"CUPTI", State::kFound, path_of(handle) + (version ? ", API version " + std::to_string(*version) : ""), ""};
}

// Tests, with a child, whether the system call works by which the sampler reads the program's memory.
Diagnosis memory_of_others() {
  const volatile uint64_t mark = 0x73796e63736e6966;
  int ready[2];
  if (pipe(ready) != 0) return {"samples of the host", State::kLimited, std::strerror(errno), ""};
  const pid_t child = fork();
  if (child == 0) {  // waits until the pipe is closed
    close(ready[1]);
    char ignored;
    while (read(ready[0], &ignored, 1) < 0 && errno == EINTR) {
    }
    _exit(0);
  }
  close(ready[0]);
  uint64_t seen = 0;
  sampler::RemoteMemory memory(child);
  const bool can_read = child > 0 && memory.read(reinterpret_cast<uint64_t>(&mark), &seen, sizeof seen) && seen == mark;
  const int error = child > 0 ? memory.error() : errno;
  close(ready[1]);
  if (child > 0) waitpid(child, nullptr, 0);
  std::string problem;
  const std::string scope = one_line(read_regular_file("/proc/sys/kernel/yama/ptrace_scope", problem, 64).value_or(""));
  const std::string yama = scope.empty() ? "" : " (kernel.yama.ptrace_scope is " + scope + ")";
  if (can_read)
    return {"samples of the host", State::kFound, "the memory of a program that run starts can be read" + yama, ""};
  return {"samples of the host", State::kLimited,
          "the memory of a child may not be read: " + std::string(std::strerror(error)) + yama,
          "where the host is between CUDA calls is not known then; in a container: --cap-add=SYS_PTRACE, else "
          "kernel.yama.ptrace_scope=1 or 0"};
}

// Finds other profilers: they occupy CUPTI's only subscription, or wrap the driver, as syncsniff does.
std::vector<Diagnosis> other_tools() {
  std::vector<Diagnosis> lines;
  const auto look = [&](const char* name, const char* remedy) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0')
      lines.push_back({name, State::kLimited, std::string("is set to ") + value, remedy});
  };
  look("CUDA_INJECTION64_PATH",
       "a profiler (nsys, ncu) is active around this shell and gets CUPTI: start `syncsniff run` outside of it");
  look("NVTX_INJECTION64_PATH", "NVTX ranges go to that library; `--step=nvtx:...` sees none. Unset it");
  look("LD_PRELOAD", "it stays behind syncsniff's own library; unset it where a run fails with it");
  if (lines.empty()) lines.push_back({"other profilers", State::kFound, "none around this shell", ""});
  return lines;
}

Diagnosis python() {
  for (const char* name : {"python3", "python"}) {
    const std::string path = find_on_path(name);
    std::string version;
    if (path.empty()) continue;
    run_program({path, "--version"}, "", &version);
    return {"Python", State::kFound, path + (version.empty() ? "" : ", " + one_line(version)), ""};
  }
  return {"Python", State::kLimited, "no python3 on PATH", "needed for Python programs alone"};
}

}  // namespace

std::vector<Diagnosis> diagnose_run() {
  int driver_version = 0;
  std::vector<Diagnosis> lines{preload_library(), gpu(), driver(driver_version)};
  lines.push_back(cupti(driver_version));
  lines.push_back(memory_of_others());
  for (Diagnosis& line : other_tools()) lines.push_back(std::move(line));
  lines.push_back(python());
  return lines;
}

}  // namespace syncsniff::launcher
