// What a file's name says of it. Which language a unit is read in, analyzer/frontend/language.h knows.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace syncsniff {

inline bool is_unit_name(const std::string& path) {
  static const std::set<std::string> kExtensions{".c", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".cu"};
  return kExtensions.count(std::filesystem::path(path).extension().string()) != 0;
}

// May it hold C, C++ or CUDA? So do headers, and parts of sources that no unit is made of alone.
inline bool is_source_name(const std::string& path) {
  static const std::set<std::string> kExtensions{".h",   ".hh",    ".hpp", ".hxx", ".h++", ".H",
                                                 ".cuh", ".cuhpp", ".inl", ".inc", ".ipp", ".icc",
                                                 ".tcc", ".tpp",   ".txx", ".def", ".impl"};
  return is_unit_name(path) || kExtensions.count(std::filesystem::path(path).extension().string()) != 0;
}

}  // namespace syncsniff
