// A check that fails on the program as a whole costs its own findings and no other's, nor any unit.
#include "analyzer/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <ctime>

namespace syncsniff {
namespace {

using checks::Reporter;
using program::Program;

// Each unit alone is fine.
bool is_whole(const Program& program) { return program.functions().size() > 1; }

void tells_each_function(const Program& program, Reporter& reporter) {
  for (const facts::Function* f : program.functions())
    reporter.report_at("sync-in-loop", f->place, f->name, f->name, {}, "found");
}
void never_ends(const Program& program, Reporter&) {
  for (volatile bool whole = is_whole(program); whole;) {
  }
}
void crashes(const Program& program, Reporter&) {
  if (is_whole(program)) raise(SIGSEGV);
}
// Ends within the bound, which lies between 1 and 2 s, but leaves so little that the next is stopped.
void takes_most(const Program& program, Reporter&) {
  for (const std::clock_t begin = std::clock(); is_whole(program) && std::clock() - begin < CLOCKS_PER_SEC * 12 / 10;) {
  }
}
void takes_some(const Program& program, Reporter&) {
  for (const std::clock_t begin = std::clock(); is_whole(program) && std::clock() - begin < CLOCKS_PER_SEC * 11 / 10;) {
  }
}
void crashes_on_a(const Program& program, Reporter&) {
  for (const facts::Function* f : program.functions())
    if (f->name == "a") raise(SIGSEGV);
}

facts::UnitFacts unit_with(const std::string& function) {
  facts::UnitFacts unit;
  unit.file = "/" + function + ".cu";
  facts::Function f;
  f.usr = f.name = function;
  f.place.file = unit.file;
  f.place.line = 1;
  f.regions.emplace_back();
  unit.functions.push_back(f);
  return unit;
}

class Judge : public testing::Test {
 protected:
  Judgement judge_with(std::vector<checks::CheckEntry> entries) {
    JudgeOptions options;
    options.limits.seconds = 1;
    options.checks = std::move(entries);
    return judge(units_, {}, options);
  }
  size_t failed() const {
    return static_cast<size_t>(
        std::count_if(units_.begin(), units_.end(), [](const auto& unit) { return unit.fatal; }));
  }
  std::vector<facts::UnitFacts> units_{unit_with("a"), unit_with("b")};
};

using Lines = std::vector<std::string>;

TEST_F(Judge, ACheckThatNeverEndsIsLeftOutAndNamed) {
  const Judgement judgement = judge_with({{"tells", tells_each_function}, {"endless", never_ends}});
  EXPECT_EQ(judgement.rules_left_out, Lines{"endless was not checked: it took over 1 s"});
  EXPECT_EQ(judgement.findings.size(), 2u);
  EXPECT_EQ(failed(), 0u);
}

TEST_F(Judge, ACheckThatCrashesIsLeftOutAndNamed) {
  const Judgement judgement = judge_with({{"crash", crashes}, {"tells", tells_each_function}});
  ASSERT_EQ(judgement.rules_left_out.size(), 1u);
  EXPECT_EQ(judgement.rules_left_out[0].rfind("crash was not checked: it crashed (signal 11", 0), 0u);
  EXPECT_EQ(judgement.findings.size(), 2u);
  EXPECT_EQ(failed(), 0u);
}

TEST_F(Judge, OfTwoSlowChecksTheSlowerGoesThoughItHadEnded) {
  const Judgement judgement = judge_with({{"most", takes_most}, {"some", takes_some}, {"tells", tells_each_function}});
  EXPECT_EQ(judgement.rules_left_out, Lines{"most was not checked: it took over 1 s"});
  EXPECT_EQ(judgement.findings.size(), 2u);
}

TEST_F(Judge, AUnitThatFailsAloneGoesAndNoRule) {
  const Judgement judgement = judge_with({{"crash", crashes_on_a}, {"tells", tells_each_function}});
  EXPECT_EQ(judgement.rules_left_out, Lines{});
  EXPECT_EQ(judgement.findings.size(), 1u);
  EXPECT_TRUE(units_[0].fatal);
  EXPECT_FALSE(units_[1].fatal);
}

// One program with so much code that several processes check it.
class JudgeInProcesses : public Judge {
 protected:
  void SetUp() override {
    facts::Function& main = units_[0].functions.front();
    main.is_main = true;
    facts::Event call;
    call.callee.id = "b";
    main.events.push_back(call);
    units_[0].flows.resize(60'000);
  }
  Judgement judge_in(unsigned processes, std::vector<checks::CheckEntry> entries) {
    JudgeOptions options;
    options.limits.seconds = 1;
    options.jobs = processes;
    options.checks = std::move(entries);
    return judge(units_, {}, options);
  }
};

// The clock gives the other process its share of the checks.
template <char kLetter>
void tells_slowly(const Program& program, Reporter& reporter) {
  timespec pause{0, 20'000'000};
  nanosleep(&pause, nullptr);
  for (const facts::Function* f : program.functions())
    reporter.report_at(std::string(1, kLetter), f->place, f->name, f->name, {}, "found");
}
const std::vector<checks::CheckEntry> kThree{
    {"x", tells_slowly<'x'>}, {"y", tells_slowly<'y'>}, {"z", tells_slowly<'z'>}};

TEST_F(JudgeInProcesses, TheFindingsAreThoseOfOneProcess) {
  const Judgement one = judge_in(1, kThree), several = judge_in(3, kThree);
  ASSERT_EQ(one.findings.size(), 6u);
  ASSERT_EQ(several.findings.size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(several.findings[i].rule, one.findings[i].rule);
    EXPECT_EQ(several.findings[i].function, one.findings[i].function);
    EXPECT_EQ(several.findings[i].fingerprint, one.findings[i].fingerprint);
  }
}

TEST_F(JudgeInProcesses, ACheckThatFailsIsLeftOutAndNamedWhoeverRunsIt) {
  for (const checks::CheckEntry failing : {checks::CheckEntry{"endless", never_ends}, {"crash", crashes}}) {
    for (const size_t place : {size_t{0}, kThree.size()}) {
      std::vector<checks::CheckEntry> entries = kThree;
      entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(place), failing);
      const Judgement judgement = judge_in(2, entries);
      ASSERT_EQ(judgement.rules_left_out.size(), 1u) << failing.id << " at " << place;
      EXPECT_EQ(judgement.rules_left_out[0].rfind(std::string(failing.id) + " was not checked: it ", 0), 0u);
      EXPECT_EQ(judgement.findings.size(), 6u);
    }
  }
}

}  // namespace
}  // namespace syncsniff
