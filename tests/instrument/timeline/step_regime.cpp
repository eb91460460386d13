#include "instrument/timeline/step_regime.h"

#include <gtest/gtest.h>

#include <cmath>

#include "instrument/timeline/device_peaks.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

using timeline::RegimeOf;
using timeline::StepRegime;
using trace::GemmMath;

const std::string kH200 =
    "device device=0 major=9 minor=0 multiprocessors=132 clock_khz=1980000 memory_clock_khz=3201000 "
    "memory_bus_bits=6144\n";
constexpr double kBf16Peak = 4096 * 132 * 1.98e9, kBandwidth = 2 * 3.201e9 * 768;

std::string us(const char* key, uint64_t value) { return std::string(" ") + key + "=" + std::to_string(value * 1000); }

// A launch and its kernel; kernels run where the test puts them.
class Program {
 public:
  Program& product(const std::string& shape, uint64_t kernel_us, const std::string& math = "bf16") {
    text_ += "gemm math=" + math + " in_bits=16 out_bits=16 batch=1 " + shape + us("begin", host_us_) +
             us("duration", 4) + "\n";
    return launch(kernel_us, "_Zgemm");
  }
  Program& launch(uint64_t kernel_us, const std::string& name = "_Zother", const std::string& flags = "") {
    text_ += "call api=1 class=launch flags=" + flags + "legacy object=" + std::to_string(name.size()) +
             us("begin", host_us_ + 1) + us("duration", 2) + "\n";
    return kernel(kernel_us, name, " correlation=" + std::to_string(++launches_));
  }
  Program& kernel(uint64_t kernel_us, const std::string& name, const std::string& fields) {
    names_ += "string id=" + std::to_string(++kernels_) + " text=\"" + name + "\"\n";
    text_ += "gpu kind=kernel name=" + std::to_string(kernels_) + fields + us("begin", gpu_us_) +
             us("end", gpu_us_ + kernel_us) + "\n";
    host_us_ += 10;
    gpu_us_ += kernel_us;
    return *this;
  }
  Program& idle(uint64_t length_us) { return gpu_us_ += length_us, host_us_ = gpu_us_ - 100, *this; }
  Program& add(const std::string& text) { return text_ += text, *this; }

  timeline::DeviceTimeline device(const std::string& described = kH200) const {
    const auto trace = test::trace_of(
        "trace timeline=2\nchunk tid=1\nclock monotonic=1000000 cupti=1000000\n"
        "api id=1 text=\"cuLaunchKernel\"\n" +
        described + test::plain_stacks(1) + names_ + text_);
    return timeline::build_gpu_timelines(trace, test::places_of(trace)).at(0);
  }
  RegimeOf regime(const std::string& described = kH200) const {
    const auto of = device(described);
    return timeline::regime_of(of, timeline::share_of_step(of, {}));
  }

 private:
  std::string names_, text_;
  uint64_t host_us_ = 100, gpu_us_ = 1000, launches_ = 0, kernels_ = 0;
};

const std::string kLarge = "m=8192 n=8192 k=8192";
constexpr double kLargeFlops = 2.0 * 8192 * 8192 * 8192;

TEST(StepRegime, LargeProductsNearThePeakAreComputeBound) {
  const RegimeOf of = Program().product(kLarge, 1500).product(kLarge, 1500).launch(500).regime();
  EXPECT_EQ(of.regime, StepRegime::kCompute);
  EXPECT_DOUBLE_EQ(of.flops, 2 * kLargeFlops);
  EXPECT_EQ(of.math, GemmMath::kBf16);
  EXPECT_DOUBLE_EQ(of.peak_flops, kBf16Peak);
  EXPECT_NEAR(of.gemm_share, 3.0 / 3.5, 1e-9);
  EXPECT_NEAR(of.of_peak_running.value(), kLargeFlops / kBf16Peak / 1.5e-3, 1e-9);
  EXPECT_NEAR(of.of_peak_step.value(), 2 * kLargeFlops / kBf16Peak / 3.5e-3, 1e-9);
}

TEST(StepRegime, ThinProductsAtTheMemorysPaceAreMemoryBound) {
  const double bytes = 2.0 * (16384 + 16384.0 * 16384 + 16384);
  const RegimeOf of = Program().product("m=1 n=16384 k=16384", 150).product("m=1 n=16384 k=16384", 150).regime();
  EXPECT_EQ(of.regime, StepRegime::kMemory);
  EXPECT_NEAR(of.of_bandwidth_running.value(), bytes / kBandwidth / 150e-6, 1e-9);
  EXPECT_LT(of.of_peak_running.value(), 0.01);
  EXPECT_EQ(Program().product("m=1 n=16384 k=16384", 900).regime().regime, StepRegime::kGpu) << "slow, and why is open";
}

TEST(StepRegime, WhatIsNotProductsIsNotJudged) {
  EXPECT_EQ(Program().product(kLarge, 1200).launch(2000).regime().regime, StepRegime::kGpu);
  const RegimeOf none = Program().launch(100).launch(100).regime();
  EXPECT_EQ(none.regime, StepRegime::kGpu);
  EXPECT_EQ(none.gemm_share, 0);
  EXPECT_FALSE(none.of_peak_running);
}

TEST(StepRegime, AnIdleDeviceIsOverheadWhateverItComputes) {
  EXPECT_EQ(Program().product(kLarge, 1200).idle(5000).product(kLarge, 1200).regime().regime, StepRegime::kOverhead);
  EXPECT_EQ(Program().product(kLarge, 1200).idle(1000).product(kLarge, 1200).regime().regime, StepRegime::kPartly);
}

TEST(StepRegime, CollectivesAreTold) {
  EXPECT_EQ(Program().product(kLarge, 1200).launch(2000, "_Z15ncclDevKernelv").regime().regime,
            StepRegime::kCollective);
}

TEST(StepRegime, WithoutAPeakNoShareIsTold) {
  const std::string unknown = "device device=0 major=6 minor=0 multiprocessors=56 clock_khz=1480000\n";
  for (const std::string& described : {unknown, std::string()}) {
    const RegimeOf of = Program().product(kLarge, 1500).regime(described);
    EXPECT_EQ(of.regime, StepRegime::kGpu);
    EXPECT_DOUBLE_EQ(of.flops, kLargeFlops);
    EXPECT_FALSE(of.of_peak_running);
    EXPECT_FALSE(of.of_bandwidth_running);
  }
  // Part of them: the share would be of the others.
  EXPECT_FALSE(Program().product(kLarge, 1500).product(kLarge, 1500, "unknown").regime().of_peak_running);
}

TEST(StepRegime, ALaunchIsOfTheProductThatItsThreadIsIn) {
  Program program;
  program.launch(100).product(kLarge, 1500).launch(100);
  program.add("chunk tid=2\ngemm math=bf16 in_bits=16 out_bits=16 m=1 n=1 k=1 batch=1 begin=90000 duration=90000\n");
  const auto device = program.device();
  EXPECT_EQ(device.gemms.products, 1u);
  EXPECT_EQ(device.gemms.ns, 1500000u);
  EXPECT_EQ(device.gemms.kernel_ns, 1700000u);
}

// CUPTI leaves after a window and numbers from the beginning when it comes back.
TEST(StepRegime, TheSameNumberInAnotherWindowIsAnotherLaunch) {
  std::string text =
      "trace timeline=1 end=9000000\nchunk tid=1\nclock monotonic=1000000 cupti=1000000\napi id=1 "
      "text=\"cuLaunchKernel\"\nstring id=1 text=\"_Zgemm\"\n" +
      kH200 + test::plain_stacks(1);
  for (const uint64_t window : {1000, 3000, 5000})
    text += "window" + us("begin", window) + us("end", window + 1000) +
            "\ngemm math=bf16 in_bits=16 out_bits=16 batch=1 n=1 k=1 m=" + std::to_string(window) +
            us("begin", window + 100) + us("duration", 9) + "\ncall api=1 class=launch flags=in-window object=5" +
            us("begin", window + 101) + us("duration", 2) + "\ngpu kind=kernel name=1 correlation=1" +
            us("begin", window + 200) + us("end", window + 300) + "\n";
  const auto trace = test::trace_of(text);
  const auto device = timeline::build_gpu_timelines(trace, test::places_of(trace)).at(0);
  EXPECT_EQ(device.gemms.products, 3u);
  EXPECT_EQ(device.gemms.flops, 2 * (1000 + 3000 + 5000));
}

// Its kernels come later, with each launch of the graph.
TEST(StepRegime, WhatIsCapturedDoesNotRun) {
  Program program;
  program.add(
      "gemm math=bf16 in_bits=16 out_bits=16 m=8 n=8 k=8 batch=1 begin=50000 duration=9000\n"
      "call api=1 class=launch flags=capturing object=5 begin=51000 duration=2000\n");
  program.launch(100).kernel(300, "_Zgemm", " correlation=9 graph=1");
  const auto device = program.device();
  EXPECT_EQ(device.gemms.products, 0u);
  EXPECT_EQ(device.gemms.graph_ns, 300000u);
  EXPECT_EQ(device.gemms.kernel_ns, 400000u);
}

TEST(StepRegime, ComplexProductsTakeFourMultiplications) {
  trace::GemmRecord gemm{};
  gemm.m = 2, gemm.n = 3, gemm.k = 4, gemm.batch = 5;
  gemm.in_bits = 32, gemm.out_bits = 64;
  EXPECT_EQ(timeline::flops_of(gemm), 240);
  EXPECT_EQ(timeline::least_bytes_of(gemm), 5 * ((8 + 12) * 4 + 6 * 8));
  gemm.is_complex = 1;
  EXPECT_EQ(timeline::flops_of(gemm), 960);
  gemm.out_bits = 0;
  EXPECT_EQ(timeline::least_bytes_of(gemm), 0);
}

// What NVIDIA's data sheets say, at the clock that they say it for.
TEST(StepRegime, PeaksAreThoseOfTheDataSheets) {
  struct Sheet {
    uint16_t major, minor;
    uint32_t multiprocessors, clock_mhz;
    GemmMath math;
    double tera;
  };
  for (const Sheet& sheet :
       {Sheet{7, 0, 80, 1530, GemmMath::kF16, 125}, Sheet{7, 0, 80, 1530, GemmMath::kTf32, 15.7},
        Sheet{8, 0, 108, 1410, GemmMath::kBf16, 312}, Sheet{8, 0, 108, 1410, GemmMath::kTf32, 156},
        Sheet{8, 0, 108, 1410, GemmMath::kF64, 19.5}, Sheet{8, 6, 84, 1740, GemmMath::kF16, 149.7},
        Sheet{8, 9, 142, 2520, GemmMath::kFp8, 733}, Sheet{9, 0, 132, 1830, GemmMath::kBf16, 989},
        Sheet{9, 0, 132, 1830, GemmMath::kFp8, 1979}, Sheet{9, 0, 132, 1980, GemmMath::kF64, 67},
        Sheet{9, 0, 132, 1980, GemmMath::kF32, 67}, Sheet{10, 0, 148, 1850, GemmMath::kF16, 2250}}) {
    trace::DeviceRecord device{};
    device.major = sheet.major, device.minor = sheet.minor;
    device.multiprocessors = sheet.multiprocessors;
    device.clock_khz = sheet.clock_mhz * 1000;
    EXPECT_NEAR(timeline::peak_flops(device, sheet.math) / 1e12 / sheet.tera, 1, 0.02)
        << sheet.major << '.' << sheet.minor << ' ' << timeline::math_name(sheet.math);
  }
}

}  // namespace
}  // namespace syncsniff
