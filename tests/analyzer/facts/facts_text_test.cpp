// What the facts say of small programs, read from their text.
#include "analyzer/facts/facts_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "analyzer/facts/unit.h"
#include "analyzer/frontend/command.h"
#include "rules/api_facts.h"
#include "tests/analyzer/checks/test_program.h"

namespace syncsniff::facts {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string text_of_source(const std::string& name, const std::string& source,
                           const std::map<std::string, std::string>& headers = {}) {
  const test::TemporaryFolder folder;
  for (const auto& [header, text] : headers) folder.write(header, text);
  const std::string path = folder.write(name, source);
  test::write_database(folder.path(), {path});
  static const ApiTable apis = ApiTable::load(data_directory() + "/rules/apis");
  static const frontend::Toolchain toolchain = frontend::find_toolchain();
  const auto commands = frontend::load_compile_database(folder.path(), nullptr);
  return text_of(read_unit(frontend::translate(commands.front(), toolchain), folder.path() + "/", apis));
}

TEST(FactsText, LoopsLaunchesAndWhatTheyWorkOn) {
  const std::string text = text_of_source("train.cu", R"(
__global__ void scale(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
void train(float** tensors, int count, int steps) {
  for (int s = 0; s < steps; ++s)
    for (int i = 0; i < count; ++i) scale<<<1, 256>>>(tensors[i], 256);
}
)");
  EXPECT_THAT(text, HasSubstr("function scale, line 2, kernel: elementwise, parameter 0 reads writes at"));
  EXPECT_THAT(text, HasSubstr("function train, line 3\n"));
  EXPECT_THAT(text, HasSubstr("region 1 in 0: loop, line 4, \"for (int s = 0; s < steps; ++s)\"\n"));
  EXPECT_THAT(text, HasSubstr("region 2 in 1: loop, line 5"));
  EXPECT_THAT(text, HasSubstr("event 0 in 2: launch of scale, line 5, args: content of"));
  EXPECT_THAT(text, HasSubstr("varies with: 2, carries in: 1"));
}

TEST(FactsText, WhyABranchIsSeldomTaken) {
  const std::string text = text_of_source("gates.cu", R"(
#include <cstdio>
#include <cstdlib>
void report(float*);
void train(float* x, float*& lazy, int steps) {
  for (int s = 0; s < steps; ++s) {
    if (s % 100 == 0) report(x);
    if (!lazy) cudaMalloc(&lazy, 4);
    if (cudaGetLastError() != cudaSuccess) { fprintf(stderr, "failed"); exit(1); }
    if (getenv("DEBUG")) report(x);
    if (s == steps - 1) report(x);
    if (x[0] > 1) report(x);
  }
}
)");
  EXPECT_THAT(text, HasSubstr("line 7, \"if (s % 100 == 0)\", gate: one iteration in many, period: 100"));
  EXPECT_THAT(text, HasSubstr("line 8, \"if (!lazy)\", gate: lazy"));
  EXPECT_THAT(text, HasSubstr("line 9, \"if (cudaGetLastError() != cudaSuccess)\", gate: error"));
  EXPECT_THAT(text, HasSubstr("line 10, \"if (getenv(\"DEBUG\"))\", gate: asked for"));
  EXPECT_THAT(text, HasSubstr("line 11, \"if (s == steps - 1)\", gate: once"));
  EXPECT_THAT(text, HasSubstr("line 12, \"if (x[0] > 1)\"\n"));
}

TEST(FactsText, WhereMemoryComesFrom) {
  const std::string text = text_of_source("memory.cu", R"(
#include <cstdlib>
struct Batch { float* host; float* device; };
void make(Batch& batch, int n) {
  batch.host = static_cast<float*>(malloc(n));
  cudaMalloc(&batch.device, n);
  float* pinned;
  cudaMallocHost(&pinned, n);
  cudaMemcpyAsync(batch.device, pinned, n, cudaMemcpyHostToDevice);
}
)");
  EXPECT_THAT(text, HasSubstr("API call malloc, line 5, args: ?, becomes: f:c:@S@Batch@FI@host\n"));
  EXPECT_THAT(text, HasSubstr("@device in 0: allocation of device memory\n"));
  EXPECT_THAT(text, ContainsRegex("@pinned@[0-9]+ in 0: allocation of pinned memory\n"));
  EXPECT_THAT(text, HasSubstr("API call cudaMemcpyAsync, line 9, args: node f:"));
}

TEST(FactsText, WhereTensorsLive) {
  const std::string text = text_of_source("tensors.cpp", R"(
#include <torch/torch.h>
void train(torch::Tensor given, int steps) {
  auto x = torch::rand({8}, torch::kCUDA);
  auto y = torch::zeros({8});
  auto z = given.to(torch::kCUDA);
  auto p = y.pin_memory();
  for (int s = 0; s < steps; ++s) x += y.to(x.device());
}
)");
  EXPECT_THAT(
      text,
      ContainsRegex("becomes: [^ ]*@x@[0-9]+, result: tensor on the device that operand 0 names .tensor on the GPU"));
  EXPECT_THAT(text, ContainsRegex("becomes: [^ ]*@y@[0-9]+, result: tensor on the CPU\n"));
  EXPECT_THAT(text,
              ContainsRegex("becomes: [^ ]*@p@[0-9]+, result: tensor on the device of its operands, pinned .node "));
  EXPECT_THAT(text, HasSubstr("tensor operation at::Tensor::operator+=, line 8"));
  EXPECT_THAT(text, HasSubstr("carries in: 1\n"));
}

TEST(FactsText, WhatIsNotCalledIsNotThere) {
  const std::string text = text_of_source("constant.cu", R"(
constexpr bool kDebug = false;
void train(int steps) {
  for (int s = 0; s < steps; ++s) {
    if (kDebug) cudaDeviceSynchronize();
  }
}
)");
  EXPECT_THAT(text, HasSubstr("\"if (kDebug)\", gate: never"));
  EXPECT_THAT(text, Not(HasSubstr("error:")));
}

// Generated headers hold thousands of accessors, and each unit that includes them would keep them all.
TEST(FactsText, FunctionsOfHeadersThatTheUnitDoesNotUseAreLeftOut) {
  const std::string header = R"(
#include <cuda_runtime.h>
struct Options {
  int size() const { return size_; }
  int unused() const { return size() + 1; }
  virtual int overridable() const { return size_; }
  void keep(float* buffer) { buffer_ = buffer; }
  int size_ = 0;
  float* buffer_ = nullptr;
};
struct Doubled : Options {
  int overridable() const override { return 2 * size_; }
};
inline int helper(const Options& options) { return options.size(); }
inline void waits() { cudaDeviceSynchronize(); }
inline void waits_too() { waits(); }
)";
  const std::string used = "int read(const Options& o) { int before = 0; before = helper(o); return before; }\n";
  const std::string text = text_of_source("unit.cu", "#include \"options.h\"\n" + used, {{"options.h", header}});
  for (const char* kept : {"function read,", "function helper,", "function Options::size,", "function waits,",
                           "function waits_too,", "function Doubled::overridable,", "function Options::keep,"})
    EXPECT_THAT(text, HasSubstr(kept));
  EXPECT_THAT(text, Not(HasSubstr("function Options::unused,")));
  // What is left out in a unit that could not be read whole may be called where it could not be read.
  const std::string broken = "#include \"options.h\"\n#include \"missing.h\"\n" + used;
  EXPECT_THAT(text_of_source("unit.cu", broken, {{"options.h", header}}), HasSubstr("function Options::unused,"));
}

}  // namespace
}  // namespace syncsniff::facts
