// The library itself: what it exports, what it needs, what it believes of CUPTI's records.
#include <cstdio>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "runtime/shim/cupti_library.h"
#include "runtime/shim/driver_layouts.h"
#include "tests/runtime/shim_fixture.h"

#if __has_include(<cuda.h>)
#include <cuda.h>
#define SYNCSNIFF_HAVE_CUDA_HEADER 1
#endif
#if __has_include(<cupti.h>)
#include <cupti.h>
#define SYNCSNIFF_HAVE_CUPTI_HEADER 1
#endif

namespace syncsniff::tests {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  char part[4096];
  for (size_t got; pipe != nullptr && (got = fread(part, 1, sizeof(part), pipe)) > 0;) text.append(part, got);
  if (pipe != nullptr) pclose(pipe);
  return text;
}

using LibraryTest = ShimTest;

TEST_F(LibraryTest, ExportsWhatIsListed) {
  std::set<std::string> listed, exported;
  std::ifstream map(build("runtime/shim/exports.map"));
  for (std::string line; std::getline(map, line);)
    if (line.rfind("  ", 0) == 0) listed.insert(line.substr(2, line.size() - 3));
  std::istringstream symbols(output_of("nm -D --defined-only " + shim()));
  for (std::string address, type, name; symbols >> address >> type >> name;) exported.insert(name);
  EXPECT_GT(listed.size(), 200u);
  EXPECT_EQ(exported, listed);
}

#ifdef CUDA_HEADERS
// CUPTI has callbacks in what makes, changes or destroys graphs: each such function of the driver must pass the gate.
TEST_F(LibraryTest, WrapsAllThatChangesGraphs) {
  const std::string exported = output_of("nm -D --defined-only " + shim());
  std::ifstream header(CUDA_HEADERS "/cuda.h");
  const std::regex declares("CUresult CUDAAPI (cuGraph(?!ics)[A-Za-z]+)\\(");
  const std::regex only_reads("Get|FindInClone|DebugDotPrint|ConditionalHandleCreate");
  int declared = 0;
  std::smatch found;
  for (std::string line; std::getline(header, line);) {
    if (!std::regex_search(line, found, declares)) continue;
    const std::string name = found[1];
    if (std::regex_search(name, only_reads)) continue;
    ++declared;
    EXPECT_NE(exported.find(" " + name + "\n"), std::string::npos) << name;
  }
  EXPECT_GT(declared, 40);
}
#endif

TEST_F(LibraryTest, NeedsLibcAlone) {
  std::istringstream lines(output_of("readelf -d " + shim()));
  const std::set<std::string> allowed = {"libc.so.6",  "libdl.so.2", "libpthread.so.0",
                                         "librt.so.1", "libm.so.6",  "ld-linux-x86-64.so.2"};
  int needed = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("(NEEDED)") == std::string::npos) continue;
    const auto open = line.find('['), close = line.find(']');
    ++needed;
    EXPECT_TRUE(allowed.count(line.substr(open + 1, close - open - 1))) << line;
  }
  EXPECT_GT(needed, 0);
}

#ifdef SYNCSNIFF_HAVE_CUDA_HEADER
template <class Copy>
void expect_layout(const shim::CopyLayout& layout) {
  EXPECT_EQ(layout.src_type, offsetof(Copy, srcMemoryType));
  EXPECT_EQ(layout.src_host, offsetof(Copy, srcHost));
  EXPECT_EQ(layout.src_device, offsetof(Copy, srcDevice));
  EXPECT_EQ(layout.dst_type, offsetof(Copy, dstMemoryType));
  EXPECT_EQ(layout.dst_host, offsetof(Copy, dstHost));
  EXPECT_EQ(layout.dst_device, offsetof(Copy, dstDevice));
  EXPECT_EQ(layout.width, offsetof(Copy, WidthInBytes));
  EXPECT_EQ(layout.height, offsetof(Copy, Height));
}

TEST_F(LibraryTest, DriverOffsetsAreTheHeaders) {
  expect_layout<CUDA_MEMCPY2D>(shim::kCopy2DLayout);
  expect_layout<CUDA_MEMCPY3D>(shim::kCopy3DLayout);
  EXPECT_EQ(shim::kCopy3DLayout.depth, offsetof(CUDA_MEMCPY3D, Depth));
  EXPECT_EQ(shim::kCopy3DLayout.dst_host, offsetof(CUDA_MEMCPY3D_PEER, dstHost));
  EXPECT_EQ(shim::kConfigStreamOffset, offsetof(CUlaunchConfig, hStream));
}
#endif

TEST_F(LibraryTest, CuptiOffsetsAreTheHeaders) {
#ifdef SYNCSNIFF_HAVE_CUPTI_HEADER
  using K = shim::KernelOffsets;
  using T = shim::TransferOffsets;
  EXPECT_EQ(K::kStart, offsetof(CUpti_ActivityKernel9, start));
  EXPECT_EQ(K::kEnd, offsetof(CUpti_ActivityKernel9, end));
  EXPECT_EQ(K::kDevice, offsetof(CUpti_ActivityKernel9, deviceId));
  EXPECT_EQ(K::kStream, offsetof(CUpti_ActivityKernel9, streamId));
  EXPECT_EQ(K::kGrid, offsetof(CUpti_ActivityKernel9, gridX));
  EXPECT_EQ(K::kBlock, offsetof(CUpti_ActivityKernel9, blockX));
  EXPECT_EQ(K::kCorrelation, offsetof(CUpti_ActivityKernel9, correlationId));
  EXPECT_EQ(K::kName, offsetof(CUpti_ActivityKernel9, name));
  EXPECT_EQ(K::kGraph, offsetof(CUpti_ActivityKernel9, graphId));
  EXPECT_EQ(T::kCopyKind, offsetof(CUpti_ActivityMemcpy5, copyKind));
  EXPECT_EQ(T::kBytes, offsetof(CUpti_ActivityMemcpy5, bytes));
  EXPECT_EQ(T::kStart, offsetof(CUpti_ActivityMemcpy5, start));
  EXPECT_EQ(T::kStream, offsetof(CUpti_ActivityMemcpy5, streamId));
  EXPECT_EQ(T::kGraph, offsetof(CUpti_ActivityMemcpy5, graphId));
  EXPECT_EQ(T::kBytes, offsetof(CUpti_ActivityMemset4, bytes));
  EXPECT_EQ(T::kStart, offsetof(CUpti_ActivityMemset4, start));
  EXPECT_EQ(T::kGraph, offsetof(CUpti_ActivityMemset4, graphId));
  EXPECT_EQ(shim::kActivityConcurrentKernel, uint32_t{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL});
#else
  GTEST_SKIP() << "no cupti.h on this machine";
#endif
}

}  // namespace
}  // namespace syncsniff::tests
