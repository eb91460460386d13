// tables.bin: used while its YAML is unchanged, and never believed when it is stale, cut short or damaged.
#include <gtest/gtest.h>

#include "rules/api_facts.h"
#include "rules/yaml_tree.h"
#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

using test::read_text_file;
using test::Scratch;

constexpr const char* kTable = "library: lib\nfunctions:\n  f: {allocates: pinned, class_argument: \"a: b\"}\n";

std::string kind_of_f(const std::string& folder) { return to_string(ApiTable::load(folder).find("f")->allocates); }

std::string compiled(const Scratch& scratch, const std::string& table) {
  scratch.write("lib.yaml", table);
  compile_yaml_folder(scratch.path());
  return read_text_file(scratch.path() + "/tables.bin");
}

TEST(CompiledTables, AreTakenForTheSameText) {
  Scratch scratch;
  std::string another = kTable;
  another.replace(another.find("pinned"), 6, "device");
  std::string bytes = compiled(scratch, another);
  // Behind the magic stands what text it was made of. The compiled form of another text that claims to be of this one
  // shows that it is what gets read.
  bytes.replace(8, 16, compiled(scratch, kTable), 8, 16);
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

// Every bit is flipped in turn: the YAML itself still stands.
TEST(CompiledTables, DamagedTheyAreNotBelieved) {
  Scratch scratch;
  const std::string bytes = compiled(scratch, kTable);
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    scratch.write("tables.bin", damaged);
    ASSERT_EQ(kind_of_f(scratch.path()), "pinned") << bit;
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
