// The tables as they ship: facts that other parts rely on, and references that must lead somewhere.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "rules/api_facts.h"

namespace syncsniff {
namespace {

const ApiTable& shipped_apis() {
  static const ApiTable table = ApiTable::load(SYNCSNIFF_SOURCE_DIR "/rules/apis");
  return table;
}

// Calls that other code looks for by what they do.
TEST(ApiData, EventsAreRecordedAndRead) {
  for (const char* name : {"cudaEventRecord", "cuEventRecord", "at::cuda::CUDAEvent::record"})
    EXPECT_TRUE(shipped_apis().find(name)->records_event) << name;
  for (const char* name : {"cudaEventElapsedTime", "cuEventElapsedTime"})
    EXPECT_TRUE(shipped_apis().find(name)->reads_elapsed) << name;
  for (const ApiFact& fact : shipped_apis().all()) {
    EXPECT_FALSE(fact.records_event && fact.event_arg == kNoArg) << fact.name;
    EXPECT_FALSE(fact.records_event && fact.blocks == Blocks::kAlways) << fact.name;
  }
}

TEST(ApiData, BlockingCallsSayWhatTheyWaitFor) {
  for (const ApiFact& fact : shipped_apis().all()) {
    if (fact.blocks == Blocks::kAlways || fact.blocks == Blocks::kPoll) {
      const bool implicit = fact.implicit_wait != WaitsFor::kNothing;
      EXPECT_EQ(fact.waits_for == WaitsFor::kNothing, implicit) << fact.name << " must say one of them";
    }
    EXPECT_TRUE(fact.waits_for != WaitsFor::kEvent || fact.event_arg != kNoArg) << fact.name;
    EXPECT_TRUE(fact.blocks != Blocks::kHostResult || fact.result_arg != kNoArg) << fact.name;
  }
}

// What the shim wraps: each needs its exact prototype, and no (name, version) may lead to two symbols.
TEST(ApiData, WrappedDriverFunctionsAreComplete) {
  std::map<std::pair<std::string, int>, std::string> symbols;
  size_t wrapped = 0;
  for (const ApiFact& fact : shipped_apis().all()) {
    if (fact.call_class.empty()) continue;
    ++wrapped;
    EXPECT_EQ(fact.library, "cuda_driver") << fact.name;
    EXPECT_TRUE(fact.signature.starts_with("CUresult " + fact.name + "(")) << fact.name;
    EXPECT_FALSE(fact.versions.empty()) << fact.name << " has a class, and no `versions`";
    if (fact.call_class == "enqueue" || fact.call_class == "launch") {
      EXPECT_FALSE(fact.enqueued.empty()) << fact.name << " has this class, and no `enqueues`";
    }
    if (fact.call_class == "copy") {
      EXPECT_TRUE(fact.copy) << fact.name << " has this class, and no `copy`";
    }
    for (const auto& version : fact.versions) {
      const auto [place, is_new] = symbols.emplace(version, fact.name);
      EXPECT_TRUE(is_new) << version.first << " " << version.second << ": " << place->second << " and " << fact.name;
    }
  }
  EXPECT_GT(wrapped, 100u);
  for (const char* name : {"cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize", "cuEventQuery",
                           "cuStreamQuery", "cuStreamWaitValue32_v2", "cuLaunchKernel", "cuLaunchKernelEx",
                           "cuMemcpyHtoD_v2", "cuMemcpyDtoHAsync_v2", "cuMemFree_v2", "cuModuleLoadData"}) {
    ASSERT_NE(shipped_apis().find(name), nullptr) << name;
    EXPECT_FALSE(shipped_apis().find(name)->call_class.empty()) << name;
  }
}

TEST(ApiData, CudaMemcpyBlocksUnlessItStaysOnTheDevice) {
  const ApiFact& copy = *shipped_apis().find("cudaMemcpy");
  EXPECT_EQ(copy.blocks, Blocks::kAlways);
  ASSERT_FALSE(copy.except.empty());
  EXPECT_EQ(copy.except[0].equals, "cudaMemcpyDeviceToDevice");
  EXPECT_EQ(copy.copy->dst, 0);
  EXPECT_EQ(copy.copy->kind, 3);
  EXPECT_EQ(shipped_apis().find("cudaMemset")->blocks, Blocks::kNever);
  EXPECT_EQ(shipped_apis().find("cudaMemcpyAsync")->blocks, Blocks::kPageable);
  EXPECT_EQ(shipped_apis().find("cublasSdot_v2")->blocks, Blocks::kHostResult);
  EXPECT_EQ(shipped_apis().find("cublasSdot")->blocks, Blocks::kAlways);  // that of cublas.h
  EXPECT_EQ(shipped_apis().find("cudaFree")->waits_for, WaitsFor::kNothing);
  EXPECT_EQ(shipped_apis().find("cudaFree")->implicit_wait, WaitsFor::kDevice);
}

TEST(ApiData, EveryTensorRoleIsUsed) {
  std::set<std::string> roles;
  for (const ApiFact& fact : shipped_apis().all()) roles.insert(fact.tensor);
  for (const char* role :
       {"sync_scalar", "sync_size", "to_host", "to_device", "move", "print", "clip_grad_norm", "factory_cpu", "pin",
        "shape_only", "elementwise", "reduction", "foreach", "op", "accessor"}) {
    EXPECT_TRUE(roles.count(role)) << role;
  }
  EXPECT_EQ(shipped_apis().find("at::Tensor::item")->tensor, "sync_scalar");
  EXPECT_EQ(shipped_apis().find("torch::nn::utils::clip_grad_norm_")->tensor, "clip_grad_norm");
}

}  // namespace
}  // namespace syncsniff
