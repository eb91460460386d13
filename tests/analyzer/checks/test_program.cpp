#include "tests/analyzer/checks/test_program.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "analyzer/analysis.h"
#include "analyzer/frontend/command.h"

namespace syncsniff::test {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "syncsniff-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path_ = fs::canonical(name).string();
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code none;
  fs::remove_all(path_, none);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  const fs::path file = fs::path(path_) / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
  return file.string();
}

namespace {

std::vector<std::string> files_with(const std::string& path, std::initializer_list<const char*> extensions) {
  std::vector<std::string> out;
  const auto take = [&](const fs::path& file) {
    if (std::find(extensions.begin(), extensions.end(), file.extension().string()) != extensions.end()) {
      out.push_back(file.string());
    }
  };
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::recursive_directory_iterator(path)) take(entry.path());
  } else {
    take(path);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<std::string> sources_of(const std::string& path) { return files_with(path, {".cu", ".cpp", ".c"}); }
std::vector<std::string> texts_of(const std::string& path) {
  return files_with(path, {".cu", ".cpp", ".c", ".h", ".cuh", ".hpp"});
}

void write_database(const std::string& folder, const std::vector<std::string>& sources,
                    const std::vector<std::string>& flags) {
  nlohmann::json database = nlohmann::json::array();
  for (const std::string& source : sources) {
    const std::string extension = fs::path(source).extension().string();
    const std::string home = fs::path(source).parent_path().string();
    const std::string torch = std::string(SYNCSNIFF_SOURCE_DIR) + "/tests/analyzer/torch-stub";
    std::vector<std::string> arguments;
    if (extension == ".cu") arguments = {"nvcc", "-std=c++20", "-arch=sm_90", "-isystem", torch};
    else if (extension == ".c") arguments = {"cc", "-std=gnu11"};
    else arguments = {"g++", "-std=c++20", "-isystem", torch};
    arguments.insert(arguments.end(), {"-O2", "-I" + home});
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    arguments.insert(arguments.end(), {"-c", source, "-o", fs::path(source).stem().string() + ".o"});
    database.push_back({{"directory", home}, {"file", source}, {"arguments", arguments}});
  }
  std::ofstream(folder + "/compile_commands.json") << database.dump(1);
}

FindingsDocument analyse_sources(const std::vector<std::string>& sources, const std::vector<std::string>& flags,
                                 int max_level, const std::string& cache) {
  TemporaryFolder folder;
  write_database(folder.path(), sources, flags);
  AnalysisOptions options;
  options.database = folder.path();
  options.jobs = 1;
  options.max_level = max_level;
  options.use_cache = !cache.empty();
  if (options.use_cache) setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  return analyse(options);
}

bool has_cuda_header(const std::string& name) {
  const frontend::Toolchain toolchain = frontend::find_toolchain();
  for (const std::string& folder : {toolchain.cuda_root + "/include/", toolchain.cuda_root + "/include/cccl/",
                                    toolchain.data_directory + "/clang-headers/libraries/"}) {
    if (fs::exists(folder + name)) return true;
  }
  return false;
}

}  // namespace syncsniff::test
