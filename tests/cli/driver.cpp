#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/hostile_text.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

test::Ran driver(const std::string& arguments, const std::string& program = DRIVER) {
  const std::string folder = test::fresh_folder();
  const auto ran = test::shell("'" + program + "' " + arguments, folder);
  std::filesystem::remove_all(folder);
  return ran;
}

// The driver alone in a folder of its own.
std::string copied_driver() {
  const std::string folder = test::fresh_folder();
  std::filesystem::copy_file(DRIVER, folder + "/syncsniff");
  return folder;
}

TEST(Driver, HelpAndVersion) {
  EXPECT_EQ(driver("--version").out, "syncsniff " PROJECT_VERSION "\n");
  const auto help = driver("--help");
  EXPECT_EQ(help.status, 0);
  for (const char* command : {"check", "fix", "run", "report", "diff", "scale", "dump", "undump", "list-checks",
                              "explain", "doctor", "rules", "rule"})
    EXPECT_NE(help.out.find(std::string("\n  ") + command + " "), std::string::npos) << command;
  EXPECT_EQ(driver("").status, 2);
}

// One number, in the top CMakeLists.txt. The kernels build without it, so they repeat it.
TEST(Driver, EveryPartHasTheVersionOfTheProject) {
#ifdef INSTRUMENT
  const auto instrument = driver("--version", INSTRUMENT);
  EXPECT_EQ(instrument.status, 0);
  EXPECT_EQ(instrument.out, "syncsniff " PROJECT_VERSION "\n");
#endif
  const std::string kernels = test::read_file(SYNCSNIFF_SOURCE_DIR "/runtime/kernels/CMakeLists.txt");
  EXPECT_NE(kernels.find("project(syncsniff_kernels VERSION " PROJECT_VERSION " "), std::string::npos);
  const std::string python = test::read_file(SYNCSNIFF_SOURCE_DIR "/runtime/kernels/python/setup.py");
  EXPECT_NE(python.find("    version=\"" PROJECT_VERSION "\",\n"), std::string::npos);
}

TEST(Driver, AnUnknownCommandGetsTheNearestOne) {
  const auto ran = driver("chekc -p build");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "syncsniff: error: chekc: no such command; did you mean `check`?\n");
  EXPECT_EQ(driver("--hlep").err, "syncsniff: error: --hlep: no such command; did you mean `--help`?\n");
  EXPECT_EQ(driver("frobnicate").err, "syncsniff: error: frobnicate: no such command; see `syncsniff --help`\n");
}

TEST(Driver, DoctorSaysWhichFormatsThereAre) {
  EXPECT_EQ(driver("doctor --format=xml").err,
            "syncsniff: error: doctor: --format: no format 'xml'; there are text, json\n");
  EXPECT_EQ(driver("doctor --format jsn").err,
            "syncsniff: error: doctor: --format: no format 'jsn'; did you mean 'json'?\n");
  const auto ran = driver("doctor --format=json:d.json");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("writes no file; use doctor --format=json > d.json"), std::string::npos) << ran.err;
}

TEST(Driver, NoWordReachesTheTerminalAsItIs) {
  for (const std::string& word : test::hostile_texts()) {
    if (word.find('\0') != std::string::npos) continue;
    std::string quoted = "'";
    for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    quoted += "'";
    for (const std::string& arguments :
         {quoted, "rule " + quoted, "explain --config " + quoted + " sync-in-loop", "doctor " + quoted}) {
      const auto ran = driver(arguments);
      EXPECT_EQ(ran.status, 2);
      EXPECT_EQ(test::unfit(ran.err), "");
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    }
  }
}

TEST(Driver, AMissingPartNamesItsBuildOption) {
  const std::string folder = copied_driver();
  EXPECT_EQ(
      driver("check x.cu", folder + "/syncsniff").err,
      "syncsniff: error: syncsniff-analyzer: not installed with this program; install the package syncsniff, or build "
      "with -DSYNCSNIFF_ANALYZER=ON\n");
  const auto run = driver("run true", folder + "/syncsniff");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("-DSYNCSNIFF_RUN=ON"), std::string::npos);
}

TEST(Driver, StartsThePartBesideItWithAllArguments) {
  const std::string folder = copied_driver();
  test::write_file(folder + "/syncsniff-analyzer", "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 1\n");
  std::filesystem::permissions(folder + "/syncsniff-analyzer", std::filesystem::perms::owner_all);
  const auto ran = driver("fix --dry-run 'a b'", folder + "/syncsniff");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "fix|--dry-run|a b|");
}

TEST(Driver, PrintsRules) {
  const auto list = driver("rules");
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_NE(list.out.find("sync-in-loop"), std::string::npos);
  const auto rule = driver("rule sync-in-loop");
  EXPECT_EQ(rule.status, 0) << rule.err;
  EXPECT_NE(rule.out.find("syncsniff: allow(sync-in-loop)"), std::string::npos);
  EXPECT_EQ(driver("rule nonsense").err, "syncsniff: error: nonsense: no such rule; `syncsniff rules` lists them\n");
  EXPECT_EQ(driver("rule").status, 2);
}

TEST(Driver, WhatCannotBePrintedIsAnError) {
  for (const char* arguments : {"rules", "rule sync-in-loop", "--help", "--version", "rules --help", "list-checks",
                                "explain sync-in-loop", "doctor", "doctor --format=json"}) {
    const auto ran = driver(std::string(arguments) + " >/dev/full");
    EXPECT_EQ(ran.status, 2) << arguments;
    EXPECT_EQ(ran.err,
              "syncsniff: error: standard output: cannot be written: No space left on device; free some space or send "
              "it elsewhere\n");
  }
}

// Of `ulimit -f 1`: 512 bytes in every sh.
TEST(Driver, AFileSizeLimitIsAnErrorAndNotTheEnd) {
  const auto ran = driver("rules > rules.txt", std::string("/bin/sh' -c 'ulimit -f 1; exec \"$0\" \"$@\"' '") + DRIVER);
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err,
            "syncsniff: error: standard output: cannot be written: File too large; raise the file size limit (ulimit "
            "-f unlimited)\n");
}

TEST(Driver, ItsPartGetsTheFileSizeSignalAsItWas) {
  const std::string folder = copied_driver();
  test::write_file(folder + "/syncsniff-analyzer", "#!/bin/sh\ngrep -E 'Sig(Ign|Cgt)' /proc/self/status\n");
  std::filesystem::permissions(folder + "/syncsniff-analyzer", std::filesystem::perms::owner_all);
  for (const char* before : {"", "trap '' XFSZ; "}) {
    const auto bare = test::shell(before + ("'" + folder + "/syncsniff-analyzer'"), folder);
    const auto ran = test::shell(before + ("'" + folder + "/syncsniff' check"), folder);
    EXPECT_NE(ran.out.find("SigIgn"), std::string::npos) << ran.err;
    EXPECT_EQ(ran.out, bare.out) << before;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace syncsniff
