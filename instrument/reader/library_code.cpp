#include "instrument/reader/library_code.h"

#include <algorithm>
#include <string_view>

namespace syncsniff::reader {
namespace {

// Beginnings of file names. libcu covers libcuda, libcudart, libcublas, libcudnn, libcufft, libcupti.
constexpr std::string_view kObjectPrefixes[] = {
    "libtorch",    "libc10",    "libcu",      "libnccl",   "libnv",   "libstdc++",         "libc.so",  "libc-",
    "libm.so",     "libm-",     "libpthread", "libdl.so",  "libdl-",  "libgcc_s",          "librt.so", "ld-linux",
    "ld-2",        "ld.so",     "libpython",  "python3",   "python2", "libsyncsniff_shim", "libgomp",  "libjemalloc",
    "libtcmalloc", "libunwind", "[vdso]",     "linux-vdso"};
constexpr std::string_view kFolders[] = {"/site-packages/", "/dist-packages/",
                                         "/lib-dynload/"};  // Python's own extensions
// The last two: headers of syncsniff's own kernels, and files that nvcc generates to launch kernels.
constexpr std::string_view kSources[] = {"/site-packages/",     "/dist-packages/", "/usr/include/", "/usr/lib/",
                                         "/usr/local/cuda",     "/include/c++/",   "/include/cuda", "/include/cccl/",
                                         "/include/syncsniff/", ".cudafe1.stub.c"};

bool begins(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

bool contains_any(std::string_view text, const auto& parts) {
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](std::string_view part) { return text.find(part) != text.npos; });
}

// Python code that a library generates while the program runs, in temporary folders or in no file at all:
// torch.compile, torch.fx, torch-geometric's templates, attrs, decorator, SymPy. Nobody can edit it.
constexpr std::string_view kGenerated[] = {"/torchinductor_",   "<eval_with_key>", "/torch_geometric.nn.",
                                           "<attrs generated ", "<decorator-gen-", "<lambdifygenerated-"};

// Python's standard library: lib/python3.11/... Its site-packages were recognised before.
bool in_python_library(std::string_view file) {
  const size_t at = file.find("/lib/python3");
  return at != file.npos || begins(file, "<frozen");
}

constexpr std::string_view kFrameworks[] = {"-packages/torch/", "-packages/jax/", "-packages/jaxlib/",
                                            "-packages/cupy/", "-packages/numpy/"};

}  // namespace

bool is_framework_source(const std::string& file) {
  const bool is_installed = contains_any(file, kFolders);
  return is_installed ? contains_any(file, kFrameworks) : is_library_source(file);
}

bool is_library_module(const std::string& path) {
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  return name.empty() || name == "python" || contains_any(path, kFolders) ||
         std::any_of(std::begin(kObjectPrefixes), std::end(kObjectPrefixes),
                     [&](auto prefix) { return begins(name, prefix); });
}

bool is_library_source(const std::string& file) {
  return contains_any(file, kSources) || contains_any(file, kGenerated) || in_python_library(file);
}

std::string option_text(const CodePattern& pattern) {
  return (pattern.whose == Whose::kUsers ? "--user-code=" : "--library-code=") + pattern.glob.text();
}

void CodeBorder::add(Whose whose, const std::string& glob) {
  patterns_.push_back({whose, PathGlob(glob)});
  known_.clear();
}

int CodeBorder::last_match(const std::string& path) {
  if (patterns_.empty() || path.empty()) return -1;
  const auto [it, fresh] = known_.try_emplace(path, -1);
  if (!fresh) return it->second;
  for (size_t i = 0; i < patterns_.size(); ++i) {
    if (!patterns_[i].glob.matches(path)) continue;
    ++patterns_[i].paths;
    it->second = static_cast<int>(i);
  }
  return it->second;
}

bool CodeBorder::is_library_object(const std::string& path) {
  const int match = last_match(path);
  return match < 0 ? is_library_module(path) : patterns_[static_cast<size_t>(match)].whose == Whose::kLibrarys;
}

bool CodeBorder::is_library_frame(const std::string& file, const std::string& object, uint32_t line) {
  const int by_file = last_match(file), by_object = last_match(object);
  if (by_file >= 0 && by_file >= by_object)
    return line == 0 || patterns_[static_cast<size_t>(by_file)].whose == Whose::kLibrarys;
  return line == 0 || is_library_source(file) || (!object.empty() && is_library_object(object));
}

bool CodeBorder::is_library_python(const std::string& file) {
  const int match = last_match(file);
  return match < 0 ? is_library_source(file) : patterns_[static_cast<size_t>(match)].whose == Whose::kLibrarys;
}

}  // namespace syncsniff::reader
