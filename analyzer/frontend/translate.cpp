#include <clang/Basic/LangStandard.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "analyzer/frontend/arguments.h"
#include "analyzer/frontend/command.h"
#include "analyzer/frontend/host_options.h"
#include "analyzer/frontend/include_paths.h"
#include "analyzer/frontend/language.h"
#include "analyzer/frontend/nvcc.h"
#include "analyzer/frontend/standard_library.h"
#include "rules/regular_file.h"

namespace syncsniff::frontend {
namespace {

constexpr const char* kHostDeviceTemplates = "-foffload-implicit-host-device-templates";

void append(std::vector<std::string>& out, const std::vector<std::string>& more) {
  out.insert(out.end(), more.begin(), more.end());
}

// The toolkit named in the command takes precedence over the machine's: the build used it.
std::string cuda_include_of(const CompilerCall& call, const HostOptions& host, const Toolchain& toolchain) {
  for (const IncludeDirectory& directory : host.includes)
    if (holds_cuda_headers(directory.path)) return directory.path;
  std::vector<std::string> candidates;
  if (!host.cuda_path.empty()) candidates.push_back(host.cuda_path + "/include");
  if (call.compiler == Compiler::kNvcc && !call.program.empty() && call.program[0] == '/') {
    const std::filesystem::path bin = std::filesystem::path(call.program).parent_path();
    candidates.push_back((bin / "../include").lexically_normal().string());
  }
  for (const std::string& candidate : candidates)
    if (holds_cuda_headers(candidate)) return candidate;
  return toolchain.cuda_root.empty() ? std::string() : toolchain.cuda_root + "/include";
}

// -std as Clang accepts it for this language; empty: Clang's default.
std::string standard_flag(const std::string& named, Language language) {
  std::string standard = named;
  if (!standard.empty()) {
    const auto kind = clang::LangStandard::getLangKind(standard);
    const bool for_c = clang::LangStandard::getLangStandardForKind(kind).getLanguage() == clang::Language::C;
    if (for_c != (language == Language::kC)) standard.clear();
  }
  if (language != Language::kCuda) return standard.empty() ? "" : "-std=" + standard;
  if (standard.empty()) return "-std=gnu++17";  // nvcc's default since CUDA 12
  const auto& facts = clang::LangStandard::getLangStandardForKind(clang::LangStandard::getLangKind(standard));
  return "-std=" + (facts.isCPlusPlus11() ? standard : "gnu++11");  // Clang's own CUDA headers need C++11
}

std::vector<std::string> fixed_flags(const Toolchain& toolchain) {
  // Typo correction would replace an API that the toolkit lacks by another one, and costs time in units with errors.
  std::vector<std::string> flags = {
      "-fsyntax-only", "-w", "-Wno-everything", "-Qunused-arguments", "-ferror-limit=0", "-fno-spell-checking"};
  if (!toolchain.resource_dir.empty()) flags.push_back("-resource-dir=" + toolchain.resource_dir);
  return flags;
}

std::vector<std::string> cuda_flags(const std::string& cuda_include, const std::string& headers) {
  // Clang's own search for a toolkit is off: it knows fewer layouts than ours, and not that of CUDA 13.
  std::vector<std::string> flags = {"--cuda-host-only", "-nocudainc", "-nocudalib"};
  // If Clang finds no toolkit, it assumes one older than CUDA 9.2, where another function configured launches. We name
  // the toolkit by include folders alone, so state the newest version that Clang 19 supports fully.
  flags.insert(flags.end(), {"-Xclang", "-target-sdk-version=12.3", "-Xclang", "-fcuda-allow-variadic-functions",
                             // nvcc lets a host template call device functions, as a functor's constructor.
                             "-Xclang", kHostDeviceTemplates,
                             // CCCL marks its algorithms with NVTX ranges; our stand-in for NVTX has no C++ side.
                             "-DCCCL_DISABLE_NVTX"});
  append(flags, {"-include",
                 headers + (cuda_include.empty() ? "/fallback/syncsniff_fallback.h" : "/syncsniff_cuda_wrapper.h")});
  append(flags, {"-include", headers + "/syncsniff_prelude.h"});
  return flags;
}

bool sees_cuda(const HostOptions& host, Language language) {
  return language == Language::kCuda || std::ranges::any_of(host.includes, [](const IncludeDirectory& directory) {
           return holds_cuda_headers(directory.path) || std::filesystem::exists(directory.path + "/torch/torch.h") ||
                  std::filesystem::exists(directory.path + "/c10/cuda");
         });
}

}  // namespace

UnitCommand without_host_device_templates(UnitCommand command) {
  std::vector<std::string>& args = command.clang_args;
  const auto flag = std::ranges::find(args, kHostDeviceTemplates);
  if (flag != args.end()) args.erase(flag - 1, flag + 1);  // with its -Xclang
  return command;
}

UnitCommand translate(const CompileCommand& command, const Toolchain& toolchain) {
  if (!command.problem.empty()) throw std::runtime_error(command.problem);
  UnitCommand unit;
  unit.directory = absolute_path(command.directory.empty() ? "." : command.directory, ".");
  unit.file = absolute_path(command.file, unit.directory);
  // Clang would wait for a pipe's writer for ever.
  if (const std::string problem = why_not_regular(unit.file); !problem.empty())
    throw std::runtime_error(unit.file + ": " + problem);

  CompilerCall call = split_call(command.arguments, unit.directory);
  NvccCall nvcc;
  if (call.compiler == Compiler::kNvcc) nvcc = read_nvcc_arguments(call.arguments, unit.directory);
  const HostOptions host =
      read_host_arguments(call.compiler == Compiler::kNvcc ? nvcc.host_arguments : call.arguments, unit.directory);

  unit.language = language_of(unit.file, nvcc.language.empty() ? host.language : nvcc.language, call);
  unit.uses_cuda = sees_cuda(host, unit.language);
  unit.per_thread_default_stream =
      nvcc.per_thread_default_stream || host.per_thread_default_stream || toolchain.per_thread_default_stream;
  unit.ignored = nvcc.ignored;
  append(unit.ignored, host.ignored);

  const std::string headers = toolchain.data_directory + "/clang-headers";
  const std::string cuda_include = cuda_include_of(call, host, toolchain);
  std::vector<std::string>& args = unit.clang_args;
  args = fixed_flags(toolchain);
  append(args, {"-x", clang_language(unit.language)});
  if (const std::string standard = standard_flag(host.standard, unit.language); !standard.empty())
    args.push_back(standard);
  if (!host.chooses_library && !gcc_install_directory().empty())
    args.push_back("--gcc-install-dir=" + gcc_install_directory());
  append(args, host.flags);
  // Clang's OpenMP would need LLVM's runtime headers. The pragmas do not matter to us, but the code under the macro
  // does.
  if (host.openmp) append(args, {"-D", "_OPENMP=201511"});
  if (toolchain.per_thread_default_stream) append(args, {"-D", "CUDA_API_PER_THREAD_DEFAULT_STREAM=1"});
  append(args, host.macros);
  append(args, order_includes(host.includes, cuda_include, headers, unit.language == Language::kCuda));
  if (unit.language == Language::kCuda) append(args, cuda_flags(cuda_include, headers));
  append(args, host.forced);
  return unit;
}

}  // namespace syncsniff::frontend
