#include "analyzer/frontend/language.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace syncsniff::frontend {
namespace {

// Longest first: foo.cu.cc is CUDA, as Bazel's CUDA rules name it.
constexpr std::pair<std::string_view, FileKind> kExtensions[] = {
    {".cu.cc", FileKind::kCuda},      {".cu.cpp", FileKind::kCuda},
    {".cu.h", FileKind::kCudaHeader}, {".cu.hpp", FileKind::kCudaHeader},
    {".cuh", FileKind::kCudaHeader},  {".cu", FileKind::kCuda},
    {".c++", FileKind::kCxx},         {".cpp", FileKind::kCxx},
    {".cxx", FileKind::kCxx},         {".cc", FileKind::kCxx},
    {".cp", FileKind::kCxx},          {".C", FileKind::kCxx},
    {".CPP", FileKind::kCxx},         {".hpp", FileKind::kCxxHeader},
    {".hxx", FileKind::kCxxHeader},   {".hh", FileKind::kCxxHeader},
    {".h++", FileKind::kCxxHeader},   {".H", FileKind::kCxxHeader},
    {".inl", FileKind::kCxxHeader},   {".ipp", FileKind::kCxxHeader},
    {".tcc", FileKind::kCxxHeader},   {".c", FileKind::kC},
    {".h", FileKind::kCHeader},
};

}  // namespace

FileKind file_kind(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  for (const auto& [tail, kind] : kExtensions)
    if (name.size() > tail.size() && name.compare(name.size() - tail.size(), tail.size(), tail) == 0) return kind;
  return FileKind::kUnknown;
}

bool is_header(FileKind kind) {
  return kind == FileKind::kCHeader || kind == FileKind::kCxxHeader || kind == FileKind::kCudaHeader;
}

Language language_of(const std::string& file, const std::string& named, const CompilerCall& call) {
  if (named == "cu" || named == "cuda") return Language::kCuda;
  if (named == "c" || named == "c-header" || named == "cpp-output") return Language::kC;
  if (named.starts_with("c++") || named == "hip") return Language::kCxx;
  switch (file_kind(file)) {
    case FileKind::kCuda:
    case FileKind::kCudaHeader:
      return Language::kCuda;
    case FileKind::kC:
      return call.cxx_driver ? Language::kCxx : Language::kC;
    case FileKind::kCHeader:
      // A .h with nvcc's command is a header of .cu files; with a C compiler's it is C.
      if (call.compiler == Compiler::kNvcc) return Language::kCuda;
      return call.cxx_driver || call.program.empty() ? Language::kCxx : Language::kC;
    case FileKind::kCxx:
    case FileKind::kCxxHeader:
      return Language::kCxx;
    case FileKind::kUnknown:
      break;
  }
  return call.compiler == Compiler::kNvcc ? Language::kCuda : Language::kCxx;
}

std::string clang_language(Language language) {
  switch (language) {
    case Language::kC:
      return "c";
    case Language::kCuda:
      return "cuda";
    case Language::kCxx:
      break;
  }
  return "c++";
}

}  // namespace syncsniff::frontend
