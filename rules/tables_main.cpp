// syncsniff-tables: checks the tables of a data folder and writes their parsed form (tables.bin) next to them. Runs at
// build time, so that an error in a table stops the build with its file, line and key.
#include <cstdio>
#include <exception>
#include <string>

#include "rules/api_facts.h"
#include "rules/rule.h"
#include "rules/yaml_tree.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "syncsniff-tables: error: usage: syncsniff-tables <folder that holds apis/ and checks/>\n");
    return 2;
  }
  const std::string apis = std::string(argv[1]) + "/apis", checks = std::string(argv[1]) + "/checks";
  try {
    syncsniff::ApiTable::load(apis);
    syncsniff::load_rules(checks);
    syncsniff::compile_yaml_folder(apis);
    syncsniff::compile_yaml_folder(checks);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "syncsniff-tables: error: %s\n", error.what());
    return 2;
  }
  return 0;
}
