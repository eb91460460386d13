// rules/words.yaml and files like it: what they may say, each fault, and what the shipped one must hold.
#include "rules/words.h"

#include <gtest/gtest.h>

#include "rules/api_facts.h"
#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

using test::error_of;
using test::Scratch;

const Words& shipped_words() {
  static const Words words = Words::load(data_directory() + "/rules/words.yaml");
  return words;
}

TEST(Words, AWordIsWhole) {
  ASSERT_TRUE(shipped_words().match(NamePlace::kFunction, "run val"));
  EXPECT_EQ(shipped_words().match(NamePlace::kFunction, "run val")->word, "val");
  EXPECT_FALSE(shipped_words().match(NamePlace::kFunction, "run value"));
  EXPECT_FALSE(shipped_words().match(NamePlace::kFunction, "interval"));
  EXPECT_EQ(shipped_words().match(NamePlace::kLoop, "for int d 0 d device count")->word, "device count");
}

TEST(Words, AGroupCountsInItsPlacesAlone) {
  EXPECT_TRUE(shipped_words().match(NamePlace::kConditionFalse, "net train"));
  EXPECT_FALSE(shipped_words().match(NamePlace::kCondition, "net train"));
  EXPECT_TRUE(shipped_words().match(NamePlace::kLoopFunctionStart, "load weights"));
  EXPECT_FALSE(shipped_words().match(NamePlace::kLoopFunctionStart, "pay load")) << "the first word alone";
  EXPECT_FALSE(shipped_words().match(NamePlace::kLoopFunctionStart, "load batch")) << "another word says that it works";
  EXPECT_TRUE(shipped_words().trains("test and train"));
}

TEST(Words, AUsersFileAddsGroupsAndWords) {
  Scratch scratch;
  scratch.write("more.yaml",
                "lowering:\n"
                "  validation: {because: unused, where: [function], words: [pruefen]}\n"
                "  nightly: {because: it runs at night, where: [function], words: [nightly]}\n");
  Words words = shipped_words();
  words.add_file(scratch.path() + "/more.yaml");
  EXPECT_EQ(words.match(NamePlace::kFunction, "pruefen")->group->name, "validation");
  EXPECT_EQ(words.match(NamePlace::kFunction, "nightly run")->group->because, "it runs at night");
  EXPECT_TRUE(words.match(NamePlace::kFunction, "validate"));
}

TEST(Words, FaultsNameFileLineAndKey) {
  const auto fault = [](const std::string& text) {
    Scratch scratch;
    scratch.write("w.yaml", text);
    return error_of(scratch.path(), [&] { Words::load(scratch.path() + "/w.yaml"); });
  };
  EXPECT_EQ(fault("lowering:\n  a: {because: x, where: [cellar], words: [b]}\n"),
            "w.yaml:2:27: key 'where': 'cellar' is none of: function, loop_function_start, wrapper, condition, "
            "condition_false, turning_condition, turning_condition_false, loop");
  EXPECT_NE(fault("lowering:\n  a: {because: x, where: [function], words: [Upper]}\n").find("'Upper'"),
            std::string::npos);
  EXPECT_NE(fault("lowering:\n  a: {where: [function], words: [b]}\n").find("because"), std::string::npos);
  EXPECT_NE(fault("raising: {}\n").find("raising"), std::string::npos);
  EXPECT_NE(error_of("", [] { Words::load("/nowhere/words.yaml"); }).find("/nowhere/words.yaml"), std::string::npos);
}

}  // namespace
}  // namespace syncsniff
