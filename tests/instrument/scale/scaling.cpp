// Recordings at several values, as a table.
#include "instrument/scale/scaling.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/instrument/compare/made_run.h"

namespace syncsniff::scale {
namespace {

// Eight kernels of `kernel_us` each beside 800 us of host code: the GPU's work is in proportion to it.
Scaling scaled(const std::vector<uint64_t>& kernel_us, bool windows = true,
               const std::vector<std::string>& command = {"./train", "--batch={BATCH}"}) {
  std::vector<Measured> runs;
  for (uint64_t us : kernel_us) {
    test::MadeRun run;
    run.kernel_us = us;
    run.windows = windows;
    Measured measured{{std::to_string(us), static_cast<double>(us)}, test::figures_of(run)};
    measured.run.path = "scale-BATCH=" + measured.value.text + ".sstrace";
    runs.push_back(std::move(measured));
  }
  return scaling_of("BATCH", command, std::move(runs));
}

std::string terminal(const Scaling& scaling) {
  std::ostringstream text;
  write_terminal(scaling, false, text);
  return text.str();
}

TEST(Scaling, OverheadThenGpu) {
  const Scaling scaling = scaled({10, 20, 400, 800, 1600});
  ASSERT_EQ(scaling.curve.regimes.size(), 5u);
  EXPECT_EQ(scaling.curve.regimes.front(), Regime::kOverheadBound);
  EXPECT_EQ(scaling.curve.regimes.back(), Regime::kGpuBound);
  ASSERT_TRUE(scaling.curve.turn);
  EXPECT_EQ(scaling.curve.turn->last_flat, 1u);
  EXPECT_EQ(scaling.curve.turn->first_bound, 2u);
}

// The whole text, letter for letter. SYNCSNIFF_REWRITE_GOLDEN=1 rewrites the expectation; read the difference.
TEST(Scaling, Golden) {
  const std::string text = terminal(scaled({10, 20, 400, 800, 1600}));
  const std::string path = std::string(SYNCSNIFF_TWINS) + "/made_runs.scale";
  if (std::getenv("SYNCSNIFF_REWRITE_GOLDEN") != nullptr) test::write_file(path, text);
  EXPECT_EQ(text, test::read_file(path)) << "SYNCSNIFF_REWRITE_GOLDEN=1 rewrites " << path;
}

TEST(Scaling, LinesAreNoWiderThanTheReports) {
  for (const Scaling& scaling :
       {scaled({10, 20, 400}), scaled({10, 20}, false), scaled({10, 20}, true, {std::string(300, 'x')})}) {
    std::istringstream lines(terminal(scaling));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), size_t{report::kReportWidth}) << line;
  }
}

TEST(Scaling, AVariableThatTheProgramDoesNotReadIsTold) {
  std::vector<Measured> runs;
  for (const char* value : {"32", "64"}) runs.push_back({{value, std::stod(value)}, test::figures_of({})});
  const Scaling scaling = scaling_of("BATCH", {"./train"}, runs);
  ASSERT_EQ(scaling.notes.size(), 1u);
  EXPECT_NE(scaling.notes[0].find("does the program read BATCH from the environment?"), std::string::npos)
      << scaling.notes[0];
  const Scaling by_argument = scaling_of("BATCH", {"./train", "{BATCH}"}, std::move(runs));
  EXPECT_NE(by_argument.notes[0].find("does the program read this argument?"), std::string::npos);
  EXPECT_TRUE(scaled({10, 20}).notes.empty());
}

TEST(Scaling, WithoutWindowsTheGpuIsNotSpokenOf) {
  const std::string text = terminal(scaled({10, 20}, false));
  EXPECT_NE(text.find("does not grow"), std::string::npos) << text;
  EXPECT_NE(text.find("note: BATCH=10, 20: GPU activity was not recorded"), std::string::npos) << text;
  EXPECT_EQ(text.find("overhead-bound"), std::string::npos) << text;
}

TEST(Scaling, JsonSaysTheSame) {
  std::ostringstream text;
  write_json(scaled({10, 20, 400, 800, 1600}), text);
  const auto json = nlohmann::json::parse(text.str());
  EXPECT_EQ(json["format"], "syncsniff-scale");
  EXPECT_EQ(json["points"].size(), 5u);
  EXPECT_EQ(json["points"][0]["regime"], "overhead-bound");
  EXPECT_EQ(json["points"][4]["regime"], "GPU-bound");
  EXPECT_NEAR(json["growth"][3]["share"].get<double>(), 0.9, 0.05);
  EXPECT_EQ(json["turn"]["after"], 20.0);
}

}  // namespace
}  // namespace syncsniff::scale
