// Recordings whose every text commands terminals and CI services, compared and in a table.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "instrument/compare/comparison_text.h"
#include "instrument/scale/scaling.h"
#include "tests/hostile_text.h"
#include "tests/instrument/compare/made_run.h"

namespace syncsniff {
namespace {

using test::Form;
using test::unfit;

void spoil(compare::LineId& line, const std::string& word) {
  for (reader::Place* place : {&line.place, &line.inner, &line.before}) *place = {"/home/u/" + word, 7, word, 0};
  line.what = word;
}

compare::RunFigures spoiled(const test::MadeRun& made, const std::string& word) {
  compare::RunFigures run = test::figures_of(made);
  run.path = word;
  run.command = {word, "--" + word};
  run.steps.how = run.steps.confidence = word;
  for (compare::CallFigures* calls : {&run.of_step, &run.of_second})
    for (compare::CallLine& line : calls->lines) spoil(line.line, word), line.rule = word;
  for (compare::IdleLine& line : run.devices.at(0).lines) {
    spoil(line.line, word);
    line.doing = line.thread = line.call = word;
  }
  run.recordings = {{word, 1e6, {}}, {word, 1e6, {}}};
  return run;
}

template <class Write>
void expect_fit(Write write) {
  std::ostringstream plain, coloured;
  write(false, plain);
  write(true, coloured);
  EXPECT_EQ(unfit(plain.str()), "");
  EXPECT_EQ(unfit(coloured.str(), Form::kColoured), "");
  EXPECT_EQ(test::without_own_colours(coloured.str()), plain.str());
}

TEST(Hostile, AComparisonIsFitToPrint) {
  test::MadeRun slower;
  slower.load_us = 1200;
  for (const std::string& word : test::hostile_texts()) {
    const auto change = compare::compare(spoiled({}, word), spoiled(slower, "b" + word), false);
    expect_fit([&](bool colour, std::ostream& out) { compare::write_terminal(change, colour, out); });
    std::ostringstream json;
    compare::write_json(change, json);
    EXPECT_EQ(unfit(json.str()), "");
    EXPECT_TRUE(nlohmann::json::accept(json.str()));
  }
}

TEST(Hostile, ATableOfSizesIsFitToPrint) {
  for (const std::string& word : test::hostile_texts()) {
    std::vector<scale::Measured> runs{{{word, 1}, spoiled({}, word)}, {{word, 2}, spoiled({}, word)}};
    const auto scaling = scale::scaling_of("BATCH", {word}, std::move(runs));
    expect_fit([&](bool colour, std::ostream& out) { scale::write_terminal(scaling, colour, out); });
    std::ostringstream json;
    scale::write_json(scaling, json);
    EXPECT_EQ(unfit(json.str()), "");
    EXPECT_TRUE(nlohmann::json::accept(json.str()));
  }
}

}  // namespace
}  // namespace syncsniff
