// Runs the shipped launcher from outside: real processes, a stand-in for the shim, no GPU.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/instrument/support.h"

namespace syncsniff {

class LauncherTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::fresh_folder();
    test::write_file(folder_ + "/given.sstrace",
                     reader::undump_trace(test::read_file(std::string(SYNCSNIFF_TWINS) + "/trainer.txt"), "twin"));
    setenv("SYNCSNIFF_SHIM", TEST_SHIM, 1);
    setenv("TEST_TRACE", (folder_ + "/given.sstrace").c_str(), 1);
    unsetenv("TEST_CUDA");
    unsetenv("TEST_OWN_PID");
  }
  void TearDown() override { test::shell("rm -rf '" + folder_ + "'", "/tmp"); }

  test::Ran run(const std::string& arguments) {
    return test::shell(std::string("'") + INSTRUMENT + "' " + arguments, folder_);
  }
  test::Ran run_cuda(const std::string& arguments) {
    return test::shell(std::string("TEST_CUDA=1 '") + INSTRUMENT + "' " + arguments, folder_);
  }
  void expect_error(const std::string& arguments, const std::string& part) {
    const auto ran = run(arguments);
    EXPECT_EQ(ran.status, 2) << arguments << "\n" << ran.err;
    EXPECT_EQ(ran.err.rfind("syncsniff: error: ", 0), 0u) << ran.err;
    EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
  }
  // An executable file of these bytes.
  void write_program(const std::string& name, const std::string& bytes) {
    test::write_file(folder_ + "/" + name, bytes);
    chmod((folder_ + "/" + name).c_str(), 0755);
  }
  std::string folder_;
};

}  // namespace syncsniff
