// Which units are read where a header of many has changed, and what is left of the others.
#include "analyzer/kept_units.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace syncsniff {
namespace {

using facts::StaleUnit;

facts::Function function_in(const std::string& file, const std::string& usr) {
  facts::Function function;
  function.usr = usr;
  function.place.file = file;
  return function;
}

// A unit with these functions of the header, which has changed, and one of its own.
StaleUnit unit_with(std::initializer_list<const char*> of_header) {
  StaleUnit stale;
  for (const char* usr : of_header) stale.unit.functions.push_back(function_in("/p/a.h", usr));
  stale.unit.functions.push_back(function_in("/p/own.cu", "own"));
  stale.changed = {"/p/a.h"};
  return stale;
}

TEST(KeptUnits, EachFunctionOfAChangedHeaderIsRead) {
  std::vector<StaleUnit> units;
  for (int i = 0; i < 40; ++i) units.push_back(unit_with({"f"}));
  units[7] = unit_with({"f", "g"});
  units[9] = unit_with({"h"});
  units[20] = unit_with({"f", "g", "i"});
  size_t left = 1;
  EXPECT_EQ(units_to_read(units, {}, left), (std::vector<size_t>{20, 9, 0, 1}));
  EXPECT_EQ(left, 0u);
}

TEST(KeptUnits, WhatIsReadAnywayIsNotLookedFor) {
  std::vector<StaleUnit> units;
  for (int i = 0; i < 40; ++i) units.push_back(unit_with({"f"}));
  units[9] = unit_with({"h"});
  size_t left = 1;
  EXPECT_EQ(units_to_read(units, {{facts::Text("h").hash()}, 0}, left), (std::vector<size_t>{0, 1, 2, 3}));
  EXPECT_EQ(units_to_read(units, {{facts::Text("h").hash()}, 3}, left), std::vector<size_t>{0});
  EXPECT_TRUE(units_to_read(units, {{facts::Text("h").hash(), facts::Text("f").hash()}, 9}, left).empty());
}

TEST(KeptUnits, WhatTakesTooManyUnitsIsCounted) {
  std::vector<StaleUnit> units;
  const std::string names = "abcdefghijklmnopqrstuvwxyz";
  for (const char name : names) units.push_back(unit_with({std::string(1, name).c_str()}));
  size_t left = 0;
  EXPECT_EQ(units_to_read(units, {}, left).size(), 16u);
  EXPECT_EQ(left, names.size() - 16);
}

TEST(KeptUnits, ValuesKeepTheFunctionsThatTheyStandIn) {
  StaleUnit stale = unit_with({"f", "g"});
  const auto flow_in = [&](const std::string& file, int function) {
    facts::Flow flow;
    flow.into = file + std::to_string(function);
    flow.place.file = file;
    flow.function = function;
    stale.unit.flows.push_back(flow);
  };
  flow_in("/p/a.h", 1), flow_in("/p/own.cu", 2), flow_in("/p/own.cu", -1), flow_in("/p/a.h", -1);
  const facts::UnitFacts unit = without_changed_files(std::move(stale));
  ASSERT_EQ(unit.functions.size(), 1u);
  EXPECT_EQ(unit.functions[0].usr.str(), "own");
  ASSERT_EQ(unit.flows.size(), 2u);
  EXPECT_EQ(unit.flows[0].function, 0);
  EXPECT_EQ(unit.flows[1].function, -1);
}

}  // namespace
}  // namespace syncsniff
