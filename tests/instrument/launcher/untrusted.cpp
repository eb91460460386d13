// What the run side is given by others: files that are no files are refused at once, and no name reaches the terminal
// as it is.
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "tests/hostile_text.h"
#include "tests/instrument/launcher/launcher_fixture.h"

namespace syncsniff {
namespace {

constexpr std::chrono::seconds kSoon{3};  // on a machine that is busy; what waits for a pipe waits for ever

class UntrustedFiles : public LauncherTest {
 protected:
  void SetUp() override {
    LauncherTest::SetUp();
    test::shell("mkfifo pipe; mkdir folder", folder_);
    unsetenv("SYNCSNIFF_DATA_DIR");
  }
  // One line that names the file and its kind, status 2, at once.
  void expect_refused(const std::string& arguments, const std::string& part) {
    const auto begin = std::chrono::steady_clock::now();
    const auto ran = bounded("", arguments);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kSoon) << arguments;
    EXPECT_EQ(ran.status, 2) << arguments << "\n" << ran.err;
    EXPECT_EQ(ran.err.rfind("syncsniff: error: " + part, 0), 0u) << arguments << "\n" << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
  test::Ran bounded(const std::string& environment, const std::string& arguments) {
    return test::shell(environment + " timeout -k 1 5 '" + INSTRUMENT + "' " + arguments, folder_);
  }
};

TEST_F(UntrustedFiles, APipeOrADeviceIsRefusedAtOnce) {
  const std::string pipe = "pipe: is a pipe, not a regular file; ";
  expect_refused("report pipe", pipe);
  expect_refused("dump pipe", pipe);
  expect_refused("undump pipe -o new.sstrace", pipe);
  expect_refused("report given.sstrace --findings pipe", pipe);
  expect_refused("run --findings pipe touch started", pipe);
  expect_refused("report /dev/zero", "/dev/zero: is a device, not a regular file; ");
  expect_refused("undump /dev/zero -o new.sstrace", "/dev/zero: is a device, not a regular file; ");
  expect_refused("report given.sstrace --findings /dev/zero", "/dev/zero: is a device, not a regular file; ");
  expect_refused("undump folder -o new.sstrace", "folder: is a directory; ");
  expect_refused("report folder", "folder: is a directory; ");
  setenv("SYNCSNIFF_SHIM", (folder_ + "/pipe").c_str(), 1);
  expect_refused("run touch started", folder_ + "/" + pipe + "unset SYNCSNIFF_SHIM");
  setenv("SYNCSNIFF_SHIM", TEST_SHIM, 1);
  test::shell("chmod +x pipe", folder_);
  expect_refused("run ./pipe", "./" + pipe + "give the path of a program");
  write_program("script", "#!" + folder_ + "/pipe\n");
  expect_refused("run ./script", folder_ + "/" + pipe + "give the path of a program");
  EXPECT_NE(access((folder_ + "/started").c_str(), F_OK), 0);
}

TEST_F(UntrustedFiles, WhatAShellSubstitutesIsAPipeToo) {
  const auto ran = bounded("", "report given.sstrace --findings /dev/stdin </dev/null");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("/dev/stdin: is a device, not a regular file; write it with"), std::string::npos) << ran.err;
  const auto piped = test::shell(
      std::string("echo '{}' | timeout 5 '") + INSTRUMENT + "' report given.sstrace --findings /dev/fd/0", folder_);
  EXPECT_EQ(piped.status, 2);
  EXPECT_NE(piped.err.find("/dev/fd/0: is a pipe, not a regular file; write it with"), std::string::npos) << piped.err;
}

TEST_F(UntrustedFiles, StandardInputIsReadWhereItIsOffered) {
  test::write_file(folder_ + "/dump.txt", run("dump given.sstrace").out);
  const std::string undump = std::string("timeout 5 '") + INSTRUMENT + "' undump ";
  EXPECT_EQ(test::shell("cat dump.txt | " + undump + "- -o piped.sstrace", folder_).status, 0);
  EXPECT_EQ(test::shell(undump + "/dev/stdin -o redirected.sstrace < dump.txt", folder_).status, 0);
  for (const char* name : {"/piped.sstrace", "/redirected.sstrace"})
    EXPECT_EQ(test::read_file(folder_ + name), test::read_file(folder_ + "/given.sstrace")) << name;
}

TEST_F(UntrustedFiles, AModuleThatIsAPipeCostsItsLinesOnly) {
  const std::string text =
      "trace pid=1 start=0 end=90000000\nchunk tid=1\nmodule bias=0x1000 begin=0x1000 end=0x9000 "
      "path=\"" +
      folder_ +
      "/pipe\"\nstack id=1 native=0x1100\n"
      "call class=wait flags=blocked stack=1 begin=1000 duration=80000000\n";
  test::write_file(folder_ + "/module.sstrace", reader::undump_trace(text, "t"));
  const auto begin = std::chrono::steady_clock::now();
  const auto ran = bounded("", "report module.sstrace");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kSoon);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("pipe+0xff"), std::string::npos) << ran.out;
}

TEST_F(UntrustedFiles, TablesThatAreAPipeAreNotWaitedFor) {
  test::shell("mkdir -p data/rules/checks && mkfifo data/rules/checks/a.yaml", folder_);
  const auto ran = bounded("SYNCSNIFF_DATA_DIR=data", "report given.sstrace");
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::string notes = ran.out;  // wrapped
  std::replace(notes.begin(), notes.end(), '\n', ' ');
  EXPECT_NE(notes.find("a.yaml:0: cannot read the file: is a pipe"), std::string::npos) << ran.out;
}

TEST_F(UntrustedFiles, NoNameOrContentReachesTheTerminalAsItIs) {
  size_t told = 0;
  for (const std::string& word : test::hostile_texts()) {
    if (word.find('\0') != std::string::npos || word.size() > 200) continue;
    std::string shown = "'";  // for the shell
    for (char c : word) shown += c == '\'' ? std::string("'\\''") : std::string(1, c);
    shown += "'";
    for (const std::string& arguments :
         {"report -- " + shown, "dump -- " + shown, "undump -o x -- " + shown, "run -- " + shown,
          "run -o " + shown + "/x true", "report given.sstrace --findings " + shown, "report --format " + shown,
          "run --" + shown, shown}) {
      const auto ran = run(arguments);
      EXPECT_EQ(ran.status, 2) << arguments;
      EXPECT_EQ(test::unfit(ran.err), "") << arguments;
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
      ++told;
    }
    test::write_file(folder_ + "/content", "trace " + word + "=\"\n" + word);
    EXPECT_EQ(test::unfit(run("undump content -o x").err), "");
    test::write_file(folder_ + "/content",
                     "{\"findings\": [{\"rule\": \"r\", \"severity\": " +
                         nlohmann::json(word).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "}]}");
    EXPECT_EQ(test::unfit(run("report given.sstrace --findings content").err), "");
  }
  EXPECT_GT(told, 100u);
}

TEST_F(UntrustedFiles, ATraceOfAnyNameIsTold) {
  for (const char* name : {"a\x1b[31m.sstrace", "new\n::error::x.sstrace", "::error::x.sstrace"}) {
    const auto quiet = run_cuda(std::string("run --no-report -o '") + name + "' true");
    EXPECT_EQ(quiet.status, 0) << quiet.err;
    EXPECT_EQ(test::unfit(quiet.err), "");
    EXPECT_NE(quiet.err.find("syncsniff: trace: "), std::string::npos) << quiet.err;
    test::shell(std::string("rm -f '") + name + "'", folder_);
    const auto told = run_cuda(std::string("run -o '") + name + "' true");
    EXPECT_EQ(told.status, 0) << told.err;
    EXPECT_EQ(test::unfit(told.err), "");
    const auto dump = run(std::string("dump './") + name + "'");
    EXPECT_EQ(dump.status, 0);
    EXPECT_EQ(test::unfit(dump.out), "");
  }
}

}  // namespace
}  // namespace syncsniff
