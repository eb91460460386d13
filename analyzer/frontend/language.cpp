#include "analyzer/frontend/language.h"

namespace syncsniff::frontend {

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
