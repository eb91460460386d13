#include "tests/rules/scratch.h"

#include <stdlib.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace syncsniff::test {
namespace fs = std::filesystem;

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "syncsniff-rules-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed: " + name);
  path_ = name;
}

Scratch::~Scratch() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::string Scratch::write(const std::string& name, const std::string& text) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file.string();
}

std::string read_text_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace syncsniff::test
