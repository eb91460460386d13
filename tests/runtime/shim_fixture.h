// A test that runs clients under the shipped shim and reads what they left.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/runtime/process.h"
#include "tests/runtime/trace_scan.h"

namespace syncsniff::tests {

inline double ms(uint64_t ns) { return static_cast<double>(ns) / 1e6; }

class ShimTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/syncsniff-shim-XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    trace_ = folder_ + "/run.sstrace";
    environment_ = {{"LD_PRELOAD", shim()},
                    {"SYNCSNIFF_TRACE", trace_},
                    {"LD_LIBRARY_PATH", build("tests/fake_driver")},
                    {"FAKE_CUDA_KERNEL_US", "2000"},
                    {"FAKE_CUDA_COPY_US", "500"}};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::string build(const std::string& path) { return std::string(SYNCSNIFF_BUILD_DIR) + "/" + path; }
  static std::string shim() { return build("lib/syncsniff/libsyncsniff_shim.so"); }
  static std::string client(const std::string& name) { return build("tests/clients/" + name); }

  // Runs a scenario, which must end as it does without the shim, and reads its trace.
  ScannedTrace record(const std::string& way, const std::string& scenario) {
    std::filesystem::remove(trace_);  // the shim never writes to a file that is there
    finished_ = run({client("syncsniff_driver_client"), way, scenario}, environment_);
    EXPECT_EQ(finished_.exit_status, 7) << finished_.errors;
    return scan_trace(trace_);
  }

  std::string folder_, trace_;
  std::map<std::string, std::string> environment_;
  Finished finished_;
};

}  // namespace syncsniff::tests
