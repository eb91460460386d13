// --user-code and --library-code: whose line is named.
#include <gtest/gtest.h>

#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

using reader::Whose;

using Patterns = std::vector<std::pair<Whose, const char*>>;

reader::CodeBorder border_of(const Patterns& patterns) {
  reader::CodeBorder border;
  for (const auto& [whose, glob] : patterns) border.add(whose, glob);
  return border;
}

reader::Places places_with(const reader::Trace& trace, const Patterns& patterns) {
  test::NoSymbols none;
  return reader::Places(trace, none, border_of(patterns));
}

// train.py > vendor/engine/loop.py > site-packages/mylib/trainer.py > site-packages/torch/optim/sgd.py, outside first.
constexpr const char* kPython =
    "trace\nchunk tid=1\n"
    "code id=1 version=0x30b first_line=10 file=\"/v/lib/python3.11/site-packages/torch/optim/sgd.py\" name=\"sgd\"\n"
    "code id=2 version=0x30b first_line=20 file=\"/v/lib/python3.11/site-packages/mylib/trainer.py\" name=\"fit\"\n"
    "code id=3 version=0x30b first_line=30 file=\"/home/u/vendor/engine/loop.py\" name=\"loop\"\n"
    "code id=4 version=0x30b first_line=40 file=\"/home/u/train.py\" name=\"main\"\n"
    "stack id=1 python=1:0,2:0,3:0,4:0\n";

std::string python_place(const Patterns& patterns) {
  const reader::Trace trace = test::trace_of(kPython);
  const reader::Places places = places_with(trace, patterns);
  const reader::Place inner = places.inner_place(1);
  return place_text(places.user_place(1)) + (inner.file.empty() ? "" : " > " + place_text(inner));
}

TEST(CodeBorder, MovesBothWays) {
  EXPECT_EQ(python_place({}), "loop.py:30 > trainer.py:20");
  EXPECT_EQ(python_place({{Whose::kUsers, "mylib"}}), "trainer.py:20");
  EXPECT_EQ(python_place({{Whose::kUsers, "*/torch/optim/*"}}), "sgd.py:10");
  EXPECT_EQ(python_place({{Whose::kLibrarys, "vendor/engine"}}), "train.py:40 > trainer.py:20");
  EXPECT_EQ(python_place({{Whose::kLibrarys, "vendor"}, {Whose::kUsers, "mylib"}}), "trainer.py:20");
}

// A library's installed package is a library again once another pattern says so; what it hides shows beneath.
TEST(CodeBorder, TheLaterPatternWins) {
  EXPECT_EQ(python_place({{Whose::kUsers, "site-packages"}, {Whose::kLibrarys, "torch"}}), "trainer.py:20");
  EXPECT_EQ(python_place({{Whose::kLibrarys, "torch"}, {Whose::kUsers, "site-packages"}}), "sgd.py:10");
  EXPECT_EQ(python_place({{Whose::kLibrarys, "vendor"}, {Whose::kUsers, "vendor/engine/loop.py"}}),
            "loop.py:30 > trainer.py:20");
}

TEST(CodeBorder, ThePackageOfAVendoredFrameworkIsNamedBeneath) {
  const reader::Trace trace = test::trace_of(
      "trace\nchunk tid=1\ncode id=1 version=0x30b first_line=30 file=\"/home/u/vendor/engine/loop.py\" "
      "name=\"loop\"\ncode id=2 version=0x30b first_line=40 file=\"/home/u/train.py\" name=\"main\"\n"
      "stack id=1 python=1:0,2:0\n");
  const reader::Places places = places_with(trace, {{Whose::kLibrarys, "vendor"}});
  EXPECT_EQ(place_text(places.inner_place(1)), "loop.py:30");
}

TEST(CodeBorder, WhereNothingIsTheUsersTheLineThatWouldBeIsNamed) {
  const reader::Trace trace = test::trace_of(
      "trace\nchunk tid=1\ncode id=1 version=0x30b first_line=359 file=\"/usr/lib/python3.11/threading.py\" "
      "name=\"Condition.wait\"\ncode id=2 version=0x30b first_line=30 file=\"/home/u/vendor/engine/loader.py\" "
      "name=\"feed\"\nstack id=1 python=1:0,2:0\n");
  EXPECT_EQ(place_text(places_with(trace, {{Whose::kLibrarys, "vendor"}}).user_place(1)), "loader.py:30");
}

// One object of the user's, one of a package that is installed; with CUDA's static runtime, a header and a line each.
constexpr const char* kNative =
    "trace\nchunk tid=1\n"
    "module bias=0x4000 begin=0x4000 end=0x8000 path=\"/v/lib/python3.11/site-packages/mylib/_C.so\"\n"
    "module bias=0x10000 begin=0x10000 end=0x20000 path=\"/home/u/train\"\n"
    "stack id=1 native=0x4101,0x4201,0x4301,0x10101\n"
    "symbol address=0x4101 function=\"cudart::cudaApiMemcpy\"\n"
    "symbol address=0x4201 line=9 function=\"copy\" file=\"/usr/include/c++/13/bits/stl_algo.h\"\n"
    "symbol address=0x4301 line=50 function=\"gather()\" file=\"/build/mylib/csrc/gather.cpp\"\n"
    "symbol address=0x10101 line=60 function=\"main\" file=\"/home/u/src/main.cpp\"\n";

std::string native_place(const Patterns& patterns) {
  const reader::Trace trace = test::trace_of(kNative);
  return place_text(places_with(trace, patterns).user_place(1));
}

TEST(CodeBorder, AnObjectIsTheUsersButNotTheHeadersInIt) {
  EXPECT_EQ(native_place({}), "main.cpp:60");
  EXPECT_EQ(native_place({{Whose::kUsers, "mylib/_C.so"}}), "gather.cpp:50");
  EXPECT_EQ(native_place({{Whose::kUsers, "mylib"}}), "gather.cpp:50") << "by the object's folder and by the source's";
  EXPECT_EQ(native_place({{Whose::kUsers, "_C.so"}, {Whose::kLibrarys, "csrc"}}), "main.cpp:60");
  EXPECT_EQ(native_place({{Whose::kLibrarys, "csrc"}, {Whose::kUsers, "_C.so"}}), "gather.cpp:50");
  EXPECT_EQ(native_place({{Whose::kUsers, "bits/stl_algo.h"}}), "stl_algo.h:9");
}

TEST(CodeBorder, AnObjectIsPushedBehindTheBorder) {
  const std::string text =
      "trace\nchunk tid=1\nmodule bias=0x4000 begin=0x4000 end=0x8000 path=\"/home/u/build/libengine.so\"\n"
      "module bias=0x10000 begin=0x10000 end=0x20000 path=\"/home/u/train\"\nstack id=1 native=0x4101,0x10101\n";
  const reader::Trace nameless = test::trace_of(text);
  EXPECT_EQ(place_text(places_with(nameless, {}).user_place(1)), "libengine.so+0x100");
  EXPECT_EQ(place_text(places_with(nameless, {{Whose::kLibrarys, "libengine.so"}}).user_place(1)), "train+0x100");
}

// Symbols are asked for where they may be the user's, and only there.
TEST(CodeBorder, SymbolsOfItsObjectsAreAskedFor) {
  class Asked : public reader::SymbolSource {
   public:
    reader::SymbolMap lookup(const reader::Module& module, const std::vector<uint64_t>&) override {
      objects.push_back(module.path.substr(module.path.rfind('/') + 1));
      return {};
    }
    std::vector<std::string> objects;
  };
  std::string text = kNative;
  text.resize(text.find("symbol "));
  const reader::Trace trace = test::trace_of(text);
  Asked moved;
  reader::Places(trace, moved, border_of({{Whose::kUsers, "mylib"}, {Whose::kLibrarys, "/home/u/train"}}));
  EXPECT_EQ(moved.objects, std::vector<std::string>{"_C.so"});
}

TEST(CodeBorder, CountsThePathsThatEachPatternMatches) {
  const reader::Trace trace = test::trace_of(kPython);
  const reader::Places places =
      places_with(trace, {{Whose::kUsers, "site-packages"}, {Whose::kLibrarys, "torch"}, {Whose::kUsers, "gone"}});
  ASSERT_EQ(places.code_patterns().size(), 3u);
  EXPECT_EQ(places.code_patterns()[0].paths, 2u);
  EXPECT_EQ(places.code_patterns()[1].paths, 1u);
  EXPECT_EQ(places.code_patterns()[2].paths, 0u);
  EXPECT_EQ(option_text(places.code_patterns()[1]), "--library-code=torch");
}

}  // namespace
}  // namespace syncsniff
