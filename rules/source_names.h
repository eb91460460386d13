// What a file's name says about its kind. analyzer/frontend/language.h decides in which language a unit is read.
#pragma once

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace syncsniff {

enum class FileKind { kUnknown, kC, kCxx, kCuda, kCHeader, kCxxHeader, kCudaHeader };

inline FileKind file_kind(const std::string& file) {
  // Longest first: foo.cu.cc is CUDA, as Bazel's CUDA rules name it.
  static constexpr std::pair<std::string_view, FileKind> kExtensions[] = {
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
  const std::string name = std::filesystem::path(file).filename().string();
  for (const auto& [tail, kind] : kExtensions)
    if (name.size() > tail.size() && name.ends_with(tail)) return kind;
  return FileKind::kUnknown;
}

inline bool is_header(FileKind kind) {
  return kind == FileKind::kCHeader || kind == FileKind::kCxxHeader || kind == FileKind::kCudaHeader;
}

inline bool is_unit_name(const std::string& path) {
  const FileKind kind = file_kind(path);
  return kind != FileKind::kUnknown && !is_header(kind);
}

// Whether the file may contain C, C++ or CUDA, including parts of sources that are never units by themselves.
inline bool is_source_name(const std::string& path) {
  static constexpr std::string_view kParts[] = {".inc", ".def", ".txx", ".tpp", ".icc", ".impl", ".cuhpp"};
  const std::string extension = std::filesystem::path(path).extension().string();
  return file_kind(path) != FileKind::kUnknown ||
         std::find(std::begin(kParts), std::end(kParts), extension) != std::end(kParts);
}

}  // namespace syncsniff
