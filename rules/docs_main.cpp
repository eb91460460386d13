// syncsniff-docs: writes docs/rules/ from rules/checks/.
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

#include "rules/rule_docs.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "syncsniff-docs: error: usage: syncsniff-docs <rules/checks> <docs/rules>\n");
    return 2;
  }
  try {
    for (const auto& [name, page] : syncsniff::render_rule_docs(syncsniff::load_rules(argv[1]))) {
      const std::string path = std::string(argv[2]) + "/" + name;
      std::ofstream stream(path, std::ios::binary | std::ios::trunc);
      stream << page;
      stream.close();
      if (!stream) {
        std::fprintf(stderr, "syncsniff-docs: error: %s: cannot write the file\n", path.c_str());
        return 2;
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "syncsniff-docs: error: %s\n", error.what());
    return 2;
  }
  return 0;
}
