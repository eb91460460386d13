// tables.bin: used while its YAML is unchanged, and never believed when it is stale, cut short or damaged.
#include <gtest/gtest.h>

#include "rules/api_facts.h"
#include "rules/yaml_tree.h"
#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

using test::read_text_file;
using test::Scratch;

constexpr const char* kTable = "library: lib\nfunctions:\n  f: {allocates: pinned, note: \"a: b\"}\n";

std::string kind_of_f(const std::string& folder) { return to_string(ApiTable::load(folder).find("f")->allocates); }

TEST(CompiledTables, AreTakenForTheSameText) {
  Scratch scratch;
  scratch.write("lib.yaml", kTable);
  compile_yaml_folder(scratch.path());
  // Changing a word inside the compiled form alone shows that it is what gets read.
  std::string bytes = read_text_file(scratch.path() + "/tables.bin");
  const size_t at = bytes.find("pinned");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 6, "device");
  scratch.write("tables.bin", bytes);
  EXPECT_EQ(kind_of_f(scratch.path()), "device");
}

TEST(CompiledTables, AreLeftWhenTheYamlHasChanged) {
  Scratch scratch;
  scratch.write("lib.yaml", kTable);
  compile_yaml_folder(scratch.path());
  std::string changed = kTable;
  changed.replace(changed.find("pinned"), 6, "device");  // same length: the hash must tell
  scratch.write("lib.yaml", changed);
  EXPECT_EQ(kind_of_f(scratch.path()), "device");
  scratch.write("mob.yaml", "library: mob\nfunctions:\n  g: {}\n");
  EXPECT_NE(ApiTable::load(scratch.path()).find("g"), nullptr);
}

TEST(CompiledTables, CutAnywhereTheyDoNoHarm) {
  Scratch scratch;
  scratch.write("lib.yaml", kTable);
  compile_yaml_folder(scratch.path());
  const std::string bytes = read_text_file(scratch.path() + "/tables.bin");
  for (size_t length = 0; length < bytes.size(); ++length) {
    scratch.write("tables.bin", bytes.substr(0, length));
    ASSERT_EQ(kind_of_f(scratch.path()), "pinned") << length;
  }
}

// Every byte of the node array is changed in turn: the loader may refuse or read something else, but must not crash.
TEST(CompiledTables, DamagedNodesNeverLeadOutside) {
  Scratch scratch;
  scratch.write("lib.yaml", kTable);
  compile_yaml_folder(scratch.path());
  const std::string bytes = read_text_file(scratch.path() + "/tables.bin");
  for (size_t at = 8; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    scratch.write("tables.bin", damaged);
    try {
      ApiTable::load(scratch.path());
    } catch (const std::exception&) {
    }
  }
}

TEST(YamlTree, RemembersLinesThroughTheCompiledForm) {
  Scratch scratch;
  scratch.write("lib.yaml", "# one\nlibrary: lib\nfunctions:\n  f:\n    blocks_host: maybe\n");
  const auto message = [&] { return test::error_of(scratch.path(), [&] { ApiTable::load(scratch.path()); }); };
  const std::string parsed = message();
  EXPECT_TRUE(parsed.starts_with("lib.yaml:5: key 'blocks_host'")) << parsed;
  compile_yaml_folder(scratch.path());
  EXPECT_EQ(message(), parsed);
}

}  // namespace
}  // namespace syncsniff
