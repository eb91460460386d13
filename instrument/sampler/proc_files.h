// Reads the text files of /proc.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace syncsniff::sampler {

// Returns an empty string if the file cannot be read.
inline std::string text_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The word of /proc/PID/stat with this number in proc(5), from 3 on; empty: there is none. Word 2, the name, may
// contain any characters.
inline std::string word_of_stat(std::string_view text, int number) {
  const size_t name_end = text.rfind(") ");
  if (name_end == text.npos) return "";
  std::istringstream words{std::string(text.substr(name_end + 2))};
  std::string word;
  for (int i = 3; i <= number; ++i)
    if (!(words >> word)) return "";
  return word;
}

}  // namespace syncsniff::sampler
