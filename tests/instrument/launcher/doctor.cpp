// What `syncsniff-instrument doctor` finds: over the fake driver and CUPTI, without them, and where a container refuses
// what the sampler needs.
#include <gtest/gtest.h>

#include <algorithm>

#include "rules/diagnosis.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

using State = Diagnosis::State;

const std::string kFakes = SHIM_TREE "/tests/fake_driver";

class Doctor : public testing::Test {
 protected:
  void SetUp() override { folder_ = test::fresh_folder(); }
  void TearDown() override { test::shell("rm -rf '" + folder_ + "'", "/tmp"); }

  std::vector<Diagnosis> ask(const std::string& environment, const std::string& before = "") {
    const auto ran = test::shell("unset LD_PRELOAD CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH SYNCSNIFF_SHIM; " +
                                     environment + " " + before + " '" INSTRUMENT "' doctor",
                                 folder_);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return diagnoses_from_json(ran.out);
  }
  static Diagnosis of(const std::vector<Diagnosis>& lines, const std::string& name) {
    for (const Diagnosis& line : lines)
      if (line.name == name) return line;
    ADD_FAILURE() << "nothing is said of " << name;
    return {};
  }
  std::string folder_;
};

TEST_F(Doctor, NamesDriverAndCuptiByThePathsThatTheShimWouldLoad) {
  const auto lines = ask("FAKE_CUPTI_VERSION=130007 LD_LIBRARY_PATH='" + kFakes + "'");
  EXPECT_EQ(of(lines, "NVIDIA driver library").state, State::kFound);
  EXPECT_EQ(of(lines, "NVIDIA driver library").detail, kFakes + "/libcuda.so.1, for CUDA 13.0");
  EXPECT_EQ(of(lines, "CUPTI").state, State::kFound);
  EXPECT_EQ(of(lines, "CUPTI").detail, kFakes + "/libcupti.so.13, API version 130007");
  const auto named = ask("FAKE_CUPTI_VERSION=18 SYNCSNIFF_CUPTI='" + kFakes + "/libcupti.so.13'");
  EXPECT_EQ(of(named, "CUPTI").detail, kFakes + "/libcupti.so.13, API version 18");
}

TEST_F(Doctor, ABrokenDriverIsMissing) {
  test::write_file(folder_ + "/libcuda.so.1", "no library");
  const auto lines = ask("LD_LIBRARY_PATH='" + folder_ + "'");
  EXPECT_EQ(of(lines, "NVIDIA driver library").state, State::kMissing);
  EXPECT_NE(of(lines, "NVIDIA driver library").remedy, "");
  EXPECT_FALSE(works(lines));
}

TEST_F(Doctor, SaysWhichToolsAreAroundIt) {
  EXPECT_EQ(of(ask(""), "other profilers").state, State::kFound);
  const auto lines = ask("CUDA_INJECTION64_PATH=/opt/nsys.so LD_PRELOAD=/gone.so");
  EXPECT_EQ(of(lines, "CUDA_INJECTION64_PATH").detail, "is set to /opt/nsys.so");
  EXPECT_EQ(of(lines, "LD_PRELOAD").state, State::kLimited);
}

TEST_F(Doctor, ReadsAChildsMemoryAsTheSamplerDoes) {
  EXPECT_EQ(of(ask(""), "samples of the host").state, State::kFound);
  if (test::shell("'" REFUSE_READING "' /bin/true", folder_).status == 91) GTEST_SKIP() << "no seccomp here";
  const Diagnosis refused = of(ask("", "'" REFUSE_READING "'"), "samples of the host");
  EXPECT_EQ(refused.state, State::kLimited);
  EXPECT_NE(refused.detail.find("Operation not permitted"), std::string::npos) << refused.detail;
  EXPECT_NE(refused.remedy.find("SYS_PTRACE"), std::string::npos);
}

TEST_F(Doctor, AShimThatIsCutShortIsMissing) {
  test::write_file(folder_ + "/cut.so",
                   test::read_file(SHIM_TREE "/lib/syncsniff/libsyncsniff_shim.so").substr(0, 999));
  const Diagnosis line = of(ask("SYNCSNIFF_SHIM='" + folder_ + "/cut.so'"), "preloaded library");
  EXPECT_EQ(line.state, State::kMissing);
  EXPECT_NE(line.detail.find("cut short"), std::string::npos) << line.detail;
}

TEST(Diagnoses, ReadBackAndRefuseWhatIsNone) {
  const std::vector<Diagnosis> lines{{"a \"b\"", State::kLimited, "c\n", "d"}, {"e", State::kMissing, "", ""}};
  const auto again = diagnoses_from_json(diagnoses_json(lines));
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].name + again[0].detail + again[0].remedy, "a \"b\"c\nd");
  EXPECT_EQ(again[0].state, State::kLimited);
  EXPECT_EQ(again[1].state, State::kMissing);
  EXPECT_FALSE(works(again));
  for (const char* text : {"", "{", "[1]", "[{\"name\": 1}]", "{\"a\": 1}",
                           "[{\"name\": \"a\", \"state\": \"fine\", \"detail\": \"\", \"remedy\": \"\"}]"})
    EXPECT_THROW(diagnoses_from_json(text), std::runtime_error) << text;
}

}  // namespace
}  // namespace syncsniff
