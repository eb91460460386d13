// The values that a variable takes.
#include "instrument/scale/sweep.h"

#include <gtest/gtest.h>

namespace syncsniff::scale {
namespace {

TEST(Sweep, ValuesComeInAscendingOrderAsTheyWereWritten) {
  const Sweep sweep = parse_sweep("BATCH=128,032,6.4e1");
  EXPECT_EQ(sweep.name, "BATCH");
  ASSERT_EQ(sweep.values.size(), 3u);
  EXPECT_EQ(sweep.values[0].text, "032");
  EXPECT_EQ(sweep.values[1].number, 64);
  EXPECT_EQ(sweep.values[2].text, "128");
}

TEST(Sweep, BadOnesSayWhatMayBeWritten) {
  for (const char* text : {"", "BATCH", "=1,2", "1B=1,2", "A-B=1,2", "BATCH=", "BATCH=1", "BATCH=1,", "BATCH=1,x",
                           "BATCH=0,1", "BATCH=-1,2", "BATCH=1,1.0", "BATCH=1,nan", "BATCH=1,inf"}) {
    EXPECT_THROW(parse_sweep(text), SweepError) << text;
  }
  std::string many = "N=1";
  for (int i = 2; i < 40; ++i) many += "," + std::to_string(i);
  EXPECT_THROW(parse_sweep(many), SweepError);
  try {
    parse_sweep("BATCH=1,x");
  } catch (const SweepError& error) {
    EXPECT_STREQ(error.what(), "--var=BATCH=1,x: 'x' is not a number above 0; write for example --var BATCH=32,64,128");
  }
}

TEST(Sweep, EveryMarkInTheWordsIsReplacedAndNoneInTheValue) {
  const auto words = with_value({"./train", "--batch={B}", "{B}{B}", "{BATCH}", "B"}, "B", "{B}1");
  EXPECT_EQ(words, (std::vector<std::string>{"./train", "--batch={B}1", "{B}1{B}1", "{BATCH}", "B"}));
}

}  // namespace
}  // namespace syncsniff::scale
