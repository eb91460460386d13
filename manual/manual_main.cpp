// syncsniff-manual: writes the man pages and completions of the programs whose option tables it is given.
// usage: syncsniff-manual VERSION OUT_DIR TABLE...      TABLE: what a program prints for --dump-options
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

#include "manual/completions.h"
#include "manual/roff.h"

namespace syncsniff::manual {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error(path.string() + ": cannot be written");
}

// The driver's table comes first: it lists all commands, with their summaries; a part's own page replaces its line.
std::vector<CommandPage> merged(const std::vector<std::string>& tables) {
  std::vector<CommandPage> all;
  for (const std::string& table : tables) {
    for (CommandPage page : pages_from_json(read_file(table))) {
      const auto known =
          std::find_if(all.begin(), all.end(), [&](const CommandPage& other) { return other.name == page.name; });
      if (known == all.end()) {
        all.push_back(page);
      } else {
        if (page.summary.empty()) page.summary = known->summary;
        *known = page;
      }
    }
  }
  // A command of a part that is not built has no usage.
  all.erase(std::remove_if(all.begin(), all.end(), [](const CommandPage& page) { return page.usage.empty(); }),
            all.end());
  return all;
}

void write_all(const std::string& version, const std::filesystem::path& out, const std::vector<std::string>& tables) {
  const std::vector<CommandPage> pages = merged(tables);
  for (const CommandPage& page : pages) write_file(out / "man" / man_name(page), man_page(page, pages, version));
  write_file(out / "completions/syncsniff", bash_completion(pages));
  write_file(out / "completions/_syncsniff", zsh_completion(pages));
  write_file(out / "completions/syncsniff.fish", fish_completion(pages));
}

}  // namespace
}  // namespace syncsniff::manual

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: syncsniff-manual VERSION OUT_DIR TABLE...\n";
    return 2;
  }
  try {
    syncsniff::manual::write_all(argv[1], argv[2], std::vector<std::string>(argv + 3, argv + argc));
  } catch (const std::exception& error) {
    std::cerr << "syncsniff-manual: error: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
