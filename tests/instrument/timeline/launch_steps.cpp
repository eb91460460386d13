// Steps of traces with windows: written out here as the shim writes them.
#include "instrument/timeline/launch_steps.h"

#include <gtest/gtest.h>

#include "instrument/timeline/steps.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

constexpr uint64_t kMs = 1000000;
constexpr int kKernels = 12;

// A program whose steps launch 12 kernels and an optimizer's for each of 8 parameters. Every fourth stretch of ten
// steps is a window, in which steps take half as long again.
struct Program {
  int steps = 120;
  int waits = 1;              // each from a call path of its own, all at one line
  int micro_batches = 1;      // 12 kernels each, then one optimizer
  int ranges = 0;             // NVTX ranges a step
  int domain = 0;             // of these
  int variants = 1;           // of each kernel, taken at random
  int strays = 0;             // waits from a path of their own, four in each of the first steps
  bool waits_each = false;    // one wait for each micro-batch
  uint64_t start_up_ms = 0;   // from the first launch of a kernel until the steps begin
  int trials = 0;             // before the steps, in a window of their own: two kernels launched by turns
  bool snapshots = false;     // a copy from a path of its own each step, and eight more after every twentieth
  int last_window = 1000000;  // in stretches of ten steps; later ones are none
  int ahead = 0;              // the host does these steps from the 20th on in a fifth of the time
  uint32_t devices = 1;
  std::string text;
  uint64_t now = 5 * kMs;
  uint64_t launches = 0;

  uint32_t random = 1;

  int variant() { return static_cast<int>((random = random * 1664525u + 1013904223u) >> 16) % variants; }
  bool in_window(int step) const { return step / 10 % 4 == 1 && step / 10 <= last_window; }
  bool is_ahead(int step) const { return step >= 20 && step < 20 + ahead; }

  void launch(int step, int stack, uint32_t device) {
    ++launches;
    if (in_window(step))
      text += "call api=1 class=launch flags=in-window stack=" + std::to_string(stack) +
              " device=" + std::to_string(device) + " begin=" + std::to_string(now) +
              " duration=2000 object=" + std::to_string(0x1000 * stack + variant()) + "\n";
    now += 10000;
  }

  void open_and_close_windows(int step) {
    if (in_window(step) && !in_window(step - 1))
      text += "window begin=" + std::to_string(now) + " launches=" + std::to_string(launches) +
              " end=" + std::to_string(now + 15 * kMs) + "\n";
  }

  void add_step(int step) {
    if (step % 5 == 0) text += "chunk tid=1\n";  // of at most 1,024 records
    open_and_close_windows(step);
    const uint64_t begin = now;
    for (int range = 0; range < ranges; ++range)
      text += "range name=1 domain=" + std::to_string(domain) + " begin=" + std::to_string(begin + 100 * range) +
              " end=" + std::to_string(begin + 100 * range + 50) + "\n";
    for (uint32_t device = 0; device < devices; ++device) {
      if (device != 0 && step % 2 != 0) continue;  // the second device steps half as often
      for (int micro_batch = 0; micro_batch < micro_batches; ++micro_batch)
        for (int i = 0; i < kKernels; ++i) launch(step, 10 + i, device);
      for (int i = 0; i < 8; ++i) launch(step, 30, device);
    }
    const int copies = !snapshots ? 0 : step % 20 == 19 ? 9 : 1;
    for (int i = 0; i < copies && in_window(step); ++i)
      text += "call api=3 class=copy flags=in-window src=device dst=pinned bytes=4 stack=27 begin=" +
              std::to_string(now + 1000 * static_cast<uint64_t>(i)) + " duration=500\n";
    for (int i = 0; i < 4 && strays > 0; ++i, --strays)
      text += "call api=2 class=wait flags=blocked stack=2 begin=" +
              std::to_string(begin + 150000 + 120000 * static_cast<uint64_t>(i)) + " duration=1000\n";
    for (int micro_batch = 0; waits_each && micro_batch < micro_batches; ++micro_batch)
      text += "call api=2 class=wait flags=blocked stack=1 begin=" +
              std::to_string(begin + 100000 + 120000 * static_cast<uint64_t>(micro_batch)) + " duration=1000\n";
    for (int wait = 0; wait < waits; ++wait)
      text += "call api=2 class=wait flags=blocked stack=" + std::to_string(1 + wait) +
              " begin=" + std::to_string(begin + 600000 + 5000 * wait * wait) + " duration=1000\n";
    now = begin + (in_window(step) ? 3 * kMs / 2 : is_ahead(step) ? kMs / 4 : kMs);
  }

  void count(int stack, uint64_t number, uint32_t device) {
    text += "count api=1 class=launch stack=" + std::to_string(stack) + " device=" + std::to_string(device) +
            " count=" + std::to_string(number) + " first=5000000 last=" + std::to_string(now - kMs) +
            " object=" + std::to_string(0x1000 * stack) + "\n";
  }

  // A start-up that launches a kernel of the steps once, and measures variants of others.
  void start_up() {
    if (start_up_ms == 0) return;
    text += "chunk tid=1\n";
    if (trials != 0) {
      text += "window begin=" + std::to_string(now) + " launches=" + std::to_string(launches) +
              " end=" + std::to_string(now + 20000 * static_cast<uint64_t>(trials) + 1000) + "\n";
      for (int i = 0; i < 2 * trials; ++i) {
        ++launches;
        text += "call api=1 class=launch flags=in-window stack=" + std::to_string(28 + i % 2) +
                " begin=" + std::to_string(now) + " duration=2000 object=" + std::to_string(0x1000 * (28 + i % 2)) +
                "\n";
        now += 10000;
      }
    }
    now = 5 * kMs + start_up_ms * kMs;
  }

  reader::Trace trace() {
    start_up();
    for (int step = 0; step < steps; ++step) add_step(step);
    for (uint32_t device = 0; device < devices; ++device) {
      const uint64_t made = static_cast<uint64_t>(device == 0 ? steps : (steps + 1) / 2);
      for (int i = 0; i < kKernels; ++i) count(10 + i, made * static_cast<uint64_t>(micro_batches), device);
      count(30, made * 8, device);
    }
    if (snapshots)
      text += "count api=3 class=copy stack=27 count=" + std::to_string(steps + steps / 20 * 8) +
              " first=5000000 last=" + std::to_string(now - kMs) + "\n";
    for (int i = 0; i < 2 && trials != 0; ++i) count(28 + i, static_cast<uint64_t>(trials), 0);
    // Paths 1 to 3 end at one line of the user's: what a framework's fit() does.
    std::string stacks = "module bias=0x10000 begin=0x10000 end=0x90000 path=\"/home/u/train\"\n";
    for (int i = 1; i <= 30; ++i) {
      char address[16];
      snprintf(address, sizeof(address), "0x%x", 0x10000 + 0x100 * i);
      stacks += "stack id=" + std::to_string(i) + " native=" + address + "\nsymbol address=" + address +
                " line=" + std::to_string(i <= 3 ? 35 : i) + " function=\"fit()\" file=\"/home/u/src/train.cu\"\n";
    }
    return test::trace_of("trace start=1 timeline=1 end=" + std::to_string(now + kMs) +
                          "\nchunk tid=1\napi id=1 text=\"cuLaunchKernel\"\napi id=2 text=\"cuStreamSynchronize\"\n"
                          "api id=3 text=\"cuMemcpyDtoHAsync_v2\"\n"
                          "string id=1 text=\"batch\"\nstring id=2 text=\"CCCL\"\n" +
                          stacks + text);
  }
};

timeline::Steps steps_of(Program program, const std::string& choice = "") {
  const reader::Trace trace = program.trace();
  return timeline::find_steps(trace, test::places_of(trace),
                              choice.empty() ? timeline::StepChoice() : timeline::parse_step_choice(choice));
}

TEST(LaunchSteps, CountTheWholeRunFromItsWindows) {
  for (const int waits : {1, 3}) {
    Program program;
    program.waits = waits;
    const auto steps = steps_of(program);
    EXPECT_EQ(steps.seen, 120u);
    EXPECT_EQ(steps.median_ns, kMs);
    EXPECT_EQ(steps.how, "counted by repeating launches, from train.cu:35");
    EXPECT_EQ(steps.confidence, "high") << steps.doubt;
    EXPECT_EQ(steps.regular.size(), 119u);
  }
}

// More than a quarter of the steps lie in windows, where CUPTI makes them longer.
TEST(LaunchSteps, TheMedianIsOfStepsOutsideOfWindows) {
  Program program;
  program.steps = 21;
  const auto steps = steps_of(program);
  EXPECT_EQ(steps.seen, 21u);
  EXPECT_EQ(steps.median_ns, kMs);
}

TEST(LaunchSteps, OfAProgramThatWaitsForNothingHaveAMeanTime) {
  Program program;
  program.waits = 0;
  const auto steps = steps_of(program);
  EXPECT_EQ(steps.seen, 120u);
  EXPECT_NEAR(static_cast<double>(steps.median_ns), 1e6, 2e4) << "between windows";
  EXPECT_EQ(steps.confidence, "fair");
  EXPECT_EQ(steps.regular.size(), 119u);
}

// A loss comes to the host in each step, and by the same way a snapshot of eight arrays in every twentieth.
TEST(LaunchSteps, AreNotTheCopiesToTheHost) {
  Program program;
  program.waits = 0;
  program.snapshots = true;
  EXPECT_EQ(steps_of(program).seen, 120u);
}

// The two windows lie close to each other, and between them the host fills the queue of launches.
TEST(LaunchSteps, TheMeanTimeIsNotOfAFewStepsThatTheHostIsAhead) {
  Program program;
  program.steps = 1200;
  program.waits = 0;
  program.last_window = 5;
  program.ahead = 30;
  EXPECT_NEAR(static_cast<double>(steps_of(program).median_ns), 1e6, 3e4);
}

TEST(LaunchSteps, WithGradientAccumulationAreTheOptimizers) {
  Program program;
  program.micro_batches = 4;
  const auto steps = steps_of(program);
  EXPECT_EQ(steps.seen, 120u);
  EXPECT_EQ(steps.median_ns, kMs);
  EXPECT_EQ(steps.confidence, "fair");
  EXPECT_NE(steps.doubt.find("the same launches 4 times"), std::string::npos) << steps.doubt;
}

// One copy for each of four micro-batches, and nothing that comes once a step: every fourth copy is a step's.
TEST(LaunchSteps, OfMicroBatchesWithOneMarkEachAreTimed) {
  Program program;
  program.micro_batches = 4;
  program.waits = 0;
  program.waits_each = true;
  program.strays = 243;  // nearly two for each step: a coincidence
  const auto steps = steps_of(program);
  EXPECT_EQ(steps.seen, 120u);
  EXPECT_FALSE(steps.evenly_cut);
  EXPECT_EQ(steps.median_ns, kMs);
}

TEST(LaunchSteps, OfManyKindsAndOneCountAreLikely) {
  timeline::LaunchSteps steps;
  steps.period.kinds = 88;
  steps.period.alike = 0.83;
  steps.agreed = 0.8;
  EXPECT_TRUE(steps.is_likely());
  EXPECT_FALSE(steps.is_sure());
  steps.period.kinds = 8;
  EXPECT_FALSE(steps.is_likely()) << "a layer has as many";
}

// The counts begin with the first launch: 0.5 s before 120 steps of 1 ms.
TEST(LaunchSteps, AfterALongStartUpHaveBegins) {
  Program program;
  program.start_up_ms = 500;
  const auto steps = steps_of(program);
  EXPECT_EQ(steps.seen, 120u);
  EXPECT_FALSE(steps.evenly_cut);
  EXPECT_EQ(steps.median_ns, kMs);
  EXPECT_GE(steps.regular.front().begin, 505 * kMs);
}

// torch.compile launches the variants of a kernel by turns, more often than a window holds launches of steps.
TEST(LaunchSteps, AreNotTheTrialsOfAStartUp) {
  Program program;
  program.start_up_ms = 500;
  program.trials = 400;
  const auto steps = steps_of(program);
  EXPECT_EQ(steps.seen, 120u);
  EXPECT_EQ(steps.median_ns, kMs);
  EXPECT_EQ(steps.how, "counted by repeating launches, from train.cu:35") << steps.doubt;
}

TEST(LaunchSteps, LibrariesRangesAreNoSteps) {
  Program program;
  program.ranges = 3;
  program.domain = 2;
  const auto steps = steps_of(program);
  EXPECT_EQ(steps.seen, 120u);
  EXPECT_EQ(steps.confidence, "high");
  EXPECT_EQ(steps.how, "counted by repeating launches, from train.cu:35");
  program.waits = 0;
  program.steps = 9;  // no window
  EXPECT_FALSE(steps_of(program).found());
}

TEST(LaunchSteps, RangesThatComeAsOftenNameThem) {
  Program program;
  program.ranges = 1;
  const auto steps = steps_of(program);
  EXPECT_EQ(steps.how, "NVTX range 'batch'");
  EXPECT_EQ(steps.confidence, "high");
  EXPECT_EQ(steps.doubt, "");
}

TEST(LaunchSteps, ThatRangesContradictAreToldWithBothNumbers) {
  Program program;
  program.ranges = 2;
  const auto steps = steps_of(program);
  EXPECT_EQ(steps.seen, 120u);
  EXPECT_EQ(steps.confidence, "fair");
  EXPECT_NE(steps.doubt.find("repeat 120 times, but the NVTX range 'batch' comes 240 times"), std::string::npos)
      << steps.doubt;
  EXPECT_NE(steps.doubt.find("--step="), std::string::npos);
}

// A library picks another kernel where the shapes are others.
TEST(LaunchSteps, ByCallPathsWhereKernelsChange) {
  Program program;
  program.variants = 7;
  const auto steps = steps_of(program);
  EXPECT_EQ(steps.seen, 120u);
  EXPECT_EQ(steps.how, "counted by repeating launches, from train.cu:35");
}

TEST(LaunchSteps, OfDevicesThatDisagreeAreTold) {
  Program program;
  program.devices = 2;
  const auto steps = steps_of(program);
  EXPECT_EQ(steps.seen, 120u);
  EXPECT_EQ(steps.confidence, "fair");
  EXPECT_NE(steps.doubt.find("the launches of GPU 1 repeat 60 times"), std::string::npos) << steps.doubt;
}

TEST(StepChoice, OfARangeOrALineIsObeyed) {
  Program program;
  program.ranges = 2;
  program.domain = 2;
  const auto by_range = steps_of(program, "nvtx:batch");
  EXPECT_EQ(by_range.seen, 240u);
  EXPECT_EQ(by_range.how, "NVTX range 'CCCL/batch', as set by --step");
  const auto by_line = steps_of(program, "line:src/train.cu:35");
  EXPECT_EQ(by_line.seen, 120u);
  EXPECT_EQ(by_line.median_ns, kMs);
}

// 120 steps of 1 ms, each one launch of a graph and two copies to the host from paths of their own; the same paths save
// 140 arrays at the end, and a start-up has timed 5,000 kernels.
TEST(LaunchSteps, CopiesThatComeOftenerThanStepsFitIntoTheTimeSayNothing) {
  std::string text = "trace start=1 timeline=1 end=" + std::to_string(200 * kMs) +
                     "\nchunk tid=1\napi id=1 text=\"cuLaunchKernel\"\napi id=3 text=\"cuMemcpyDtoHAsync_v2\"\n"
                     "api id=5 text=\"cuGraphLaunch\"\n" +
                     test::plain_stacks(9);
  for (const uint64_t window : {50, 90})
    text += "window begin=" + std::to_string(window * kMs) + " launches=" + std::to_string(5000 + window) +
            " end=" + std::to_string((window + 10) * kMs) + "\n";
  for (uint64_t step = 0; step < 120; ++step) {
    const uint64_t begin = (10 + step) * kMs;
    if (begin / kMs < 50 || begin / kMs % 40 < 10 || begin / kMs % 40 >= 20 || begin / kMs >= 100) continue;
    const auto call = [&](const char* what, uint64_t after) {
      text +=
          std::string("call flags=in-window ") + what + " begin=" + std::to_string(begin + after) + " duration=2000\n";
    };
    call("api=5 class=launch stack=1 object=77", 1000);
    call("api=3 class=copy src=device dst=pinned bytes=4 stack=2", 400000);
    call("api=3 class=copy src=device dst=pinned bytes=4 stack=3", 500000);
  }
  const auto count = [&](const char* what, uint64_t number, uint64_t last_ms) {
    text += std::string("count ") + what + " count=" + std::to_string(number) + " first=" + std::to_string(10 * kMs) +
            " last=" + std::to_string(last_ms * kMs) + "\n";
  };
  count("api=5 class=launch stack=1 object=77", 120, 130);
  count("api=3 class=copy stack=2", 260, 150);
  count("api=3 class=copy stack=3", 260, 150);
  count("api=1 class=launch stack=4 object=99", 5000, 12);
  const reader::Trace trace = test::trace_of(text);
  const auto steps = timeline::count_launch_steps(trace, test::places_of(trace));
  ASSERT_TRUE(steps.has_value());
  EXPECT_EQ(steps->count, 120u);
}

std::string complaint(Program program, const std::string& choice) {
  try {
    steps_of(program, choice);
  } catch (const timeline::StepChoiceError& error) {
    return error.what();
  }
  return "";
}

TEST(StepChoice, ThatMatchesNothingSaysWhatThereWas) {
  Program program;
  EXPECT_NE(complaint(program, "nvtx:batch").find("it pushed none at all"), std::string::npos);
  EXPECT_NE(complaint(program, "line:train.cu:36").find("train.cu:35 (120 times)"), std::string::npos);
  EXPECT_NE(complaint(program, "line:rain.cu:35"), "") << "a file's name is matched as a whole";
  program.ranges = 1;
  EXPECT_NE(complaint(program, "nvtx:step").find("'batch' (120 times)"), std::string::npos);
  for (const char* wrong : {"", "epoch", "nvtx:", "line:train.cu", "line::3", "line:train.cu:x", "line:train.cu:0"})
    EXPECT_THROW(timeline::parse_step_choice(wrong), timeline::StepChoiceError) << wrong;
}

}  // namespace
}  // namespace syncsniff
