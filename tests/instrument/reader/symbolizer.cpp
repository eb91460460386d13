#include "instrument/reader/symbolizer.h"

#include <gtest/gtest.h>

#include "instrument/reader/elf_file.h"
#include "rules/subprocess.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

TEST(Symbolizer, ReadsInlineChains) {
  const auto symbols = reader::parse_symbolizer_output(
      "0x0000000000001153\ncopy_in(float*)\n/src/a.cu:12\nstep()\n/src/a.cu:30 (discriminator "
      "3)\n0x2000\n??\n??:0\n0x3000\nmain\n??:?\n");
  ASSERT_EQ(symbols.at(0x1153).size(), 2u);
  EXPECT_EQ(symbols.at(0x1153)[0].function, "copy_in(float*)");
  EXPECT_EQ(symbols.at(0x1153)[0].line, 12u);
  EXPECT_EQ(symbols.at(0x1153)[1].file, "/src/a.cu");
  EXPECT_EQ(symbols.at(0x1153)[1].line, 30u);
  EXPECT_TRUE(symbols.at(0x2000).empty());
  EXPECT_EQ(symbols.at(0x3000)[0].function, "main");
  EXPECT_EQ(symbols.at(0x3000)[0].line, 0u);
}

// A real object, made here, through whichever symbolizers this machine has.
class RealObject : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    program_ = find_on_path(GetParam());
    if (program_.empty()) GTEST_SKIP() << GetParam() << " is not installed";
    setenv("SYNCSNIFF_SYMBOLIZER", program_.c_str(), 1);
    folder_ = test::fresh_folder();
    test::write_file(folder_ + "/a.cpp",
                     "int outer(int x) {\n  return x +\n      1;\n}\nint main() { return outer(-1); }\n");
    ASSERT_EQ(test::shell("c++ -g -O0 -Wl,--build-id a.cpp -o a", folder_).status, 0);
    const auto nm = test::shell("nm -C a | grep ' T outer'", folder_).out;
    address_ = std::stoull(nm, nullptr, 16);
    module_.path = folder_ + "/a";
    module_.build_id = reader::read_elf_facts(module_.path)->build_id;
  }
  void TearDown() override {
    unsetenv("SYNCSNIFF_SYMBOLIZER");
    if (!folder_.empty()) test::shell("rm -rf '" + folder_ + "'", "/");
  }
  std::string program_, folder_;
  uint64_t address_ = 0;
  reader::Module module_;
};

TEST_P(RealObject, FindsFunctionAndLine) {
  reader::ProcessSymbolizer symbolizer;
  const auto symbols = symbolizer.lookup(module_, {address_, address_ + 5});
  ASSERT_EQ(symbols.count(address_), 1u);
  EXPECT_EQ(symbols.at(address_).at(0).line, 1u);
  EXPECT_EQ(symbols.at(address_).at(0).function.rfind("outer", 0), 0u);
  EXPECT_EQ(symbols.at(address_).at(0).file, folder_ + "/a.cpp");
  EXPECT_TRUE(symbolizer.hints().empty());
}

TEST_P(RealObject, ARebuiltObjectIsNotSymbolised) {
  module_.build_id = "beef";
  reader::ProcessSymbolizer symbolizer;
  EXPECT_TRUE(symbolizer.lookup(module_, {address_}).empty());
  ASSERT_EQ(symbolizer.hints().size(), 1u);
  EXPECT_NE(symbolizer.hints()[0].find("rebuilt since the run"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Programs, RealObject, testing::Values("llvm-symbolizer", "addr2line", "llvm-symbolizer-19"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(Symbolizer, WithoutOneSaysWhatToInstall) {
  setenv("SYNCSNIFF_SYMBOLIZER", "none", 1);
  reader::ProcessSymbolizer symbolizer;
  unsetenv("SYNCSNIFF_SYMBOLIZER");
  EXPECT_TRUE(symbolizer.lookup({"/bin/sh", "", 0, 0, 10}, {1}).empty());
  EXPECT_NE(symbolizer.hints().at(0).find("install llvm"), std::string::npos);
}

}  // namespace
}  // namespace syncsniff
