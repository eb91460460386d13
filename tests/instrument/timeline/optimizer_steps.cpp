// Steps longer than a window, and steps in rounds: what a model that generates text or plays games trains by.
#include "instrument/timeline/optimizer_steps.h"

#include <gtest/gtest.h>

#include "instrument/timeline/sites.h"
#include "instrument/timeline/step_rounds.h"
#include "instrument/timeline/steps.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

constexpr uint64_t kMs = 1000000;
constexpr int kPlay = 11, kLearn = 31, kOptimizer = 21, kSecond = 41,
              kClosure = 51;  // the first call path of each
constexpr int kKernels = 6;   // of each
constexpr int kInput = 4, kGraph = 5;
constexpr int kSetOut = 1, kPlayed = 2, kLearned = 3;  // call paths of waits

// One thread of a Python program; what it launches in a window is listed, and everything is counted.
class Script {
 public:
  void launch(int first_path) {
    for (int i = 0; i < kKernels; ++i) launch_one(first_path + i);
  }
  // A kernel that sets the graph's input, then the graph.
  void launch_graph() {
    launch_one(kInput);
    launch_one(kGraph);
  }
  void wait(int path) {
    say("call api=2 class=wait flags=blocked stack=" + std::to_string(path) + " begin=" + std::to_string(now_) +
        " duration=5000");
    now_ += 10000;
  }
  void go_on_until(uint64_t time) { now_ = time; }
  void open_window(uint64_t length) {
    say("window begin=" + std::to_string(now_) + " launches=" + std::to_string(launches_) +
        " end=" + std::to_string(now_ + length));
    open_ = true;
  }
  void close_window() { open_ = false; }
  // Of every `every` steps those from `first` to before `behind` are a window.
  void keep_windows(int step, int every, int first, int behind) {
    if (step % every == first) open_window(60 * kMs);
    if (step % every == behind) close_window();
  }
  uint64_t now() const { return now_; }

  reader::Trace trace() const {
    const std::string optim = "/usr/lib/python3/dist-packages/torch/optim/adam.py";
    std::string text =
        "trace start=1 timeline=1 end=" + std::to_string(now_ + kMs) +
        "\nchunk tid=1\napi id=1 text=\"cuLaunchKernel\"\napi id=2 text=\"cuStreamSynchronize\"\n"
        "code id=1 first_line=1 file=\"/home/u/train.py\" name=\"main\"\ncode id=2 first_line=1 file=\"" +
        optim + "\" name=\"Adam.step\"\n";
    for (int path = 1; path <= 60; ++path) {
      const int optimizer = path >= kClosure ? kClosure : path >= kSecond ? kSecond : kOptimizer;
      const int line = path >= kClosure ? path - kClosure + kOptimizer : path;  // the closure runs within the step
      const bool optimizes = path >= optimizer && path < optimizer + kKernels;
      // The user's line has the number of the path; a code's positions are pairs of bytes.
      text += "code id=" + std::to_string(10 + path) + " first_line=" + std::to_string(line) +
              " file=\"/home/u/train.py\" name=\"main\"\nstack id=" + std::to_string(path) +
              " python=" + (optimizes ? "2:" + std::to_string(2 * (path - optimizer)) + "," : "") +
              std::to_string(10 + path) + ":0\n";
    }
    std::string counts;
    for (const auto& [path, count] : counts_)
      counts += "count api=1 class=launch stack=" + std::to_string(path) + " count=" + std::to_string(count.number) +
                " first=" + std::to_string(count.first) + " last=" + std::to_string(count.last) +
                " object=" + std::to_string(0x1000 * path) + "\n";
    return test::trace_of(text + text_ + counts);
  }

 private:
  struct Count {
    uint64_t number = 0, first = 0, last = 0;
  };
  void launch_one(int path) {
    Count& count = counts_[path];
    count.first = count.number++ == 0 ? now_ : count.first;
    count.last = now_;
    ++launches_;
    if (open_)
      say("call api=1 class=launch flags=in-window stack=" + std::to_string(path) + " begin=" + std::to_string(now_) +
          " duration=2000 object=" + std::to_string(0x1000 * path));
    now_ += 10000;
  }
  void say(const std::string& line) {
    if (records_++ % 500 == 0) text_ += "chunk tid=1\n";
    text_ += line + "\n";
  }

  std::map<int, Count> counts_;
  std::string text_;
  uint64_t now_ = 5 * kMs, launches_ = 0;
  size_t records_ = 0;
  bool open_ = false;
};

timeline::Steps steps_of(const Script& script) {
  const reader::Trace trace = script.trace();
  return timeline::find_steps(trace, test::places_of(trace));
}

// A step of 100 ms generates 100 tokens, then steps its optimizer; windows of 60 ms show tokens alone.
TEST(OptimizerSteps, AreCountedThoughWindowsAreShorter) {
  Script script;
  for (int step = 0; step < 40; ++step) {
    const uint64_t begin = script.now();
    script.wait(kSetOut);
    for (int token = 0; token < 100; ++token) {
      if (step % 5 == 3 && token == 10) script.open_window(60 * kMs);
      if (token == 75) script.close_window();
      script.launch(kPlay);
      script.go_on_until(begin + 900000 * static_cast<uint64_t>(token + 1));
    }
    script.launch(kOptimizer);
    script.go_on_until(begin + 100 * kMs);
  }
  const auto steps = steps_of(script);
  EXPECT_EQ(steps.seen, 40u);
  EXPECT_EQ(steps.median_ns, 100 * kMs);
  EXPECT_EQ(steps.how, "counted by repeating optimizer launches, from train.py:1");
  EXPECT_EQ(steps.confidence, "high");
  EXPECT_NE(steps.doubt.find("the same launches come 100 times"), std::string::npos) << steps.doubt;
}

// Five steps of a critic, then one of a generator: a GAN's step may be either.
TEST(OptimizerSteps, OfTwoOptimizersAreNoCertainty) {
  Script script;
  for (int round = 0; round < 60; ++round) {
    script.keep_windows(round, 20, 10, 18);
    for (int critic = 0; critic < 5; ++critic) {
      const uint64_t begin = script.now();
      script.wait(kSetOut);
      script.launch(kLearn);
      script.launch(kOptimizer);
      script.go_on_until(begin + kMs);
    }
    script.launch(kPlay);
    script.launch(kSecond);
    script.go_on_until(script.now() + kMs);
  }
  const auto steps = steps_of(script);
  EXPECT_EQ(steps.seen, 300u) << steps.how;
  EXPECT_EQ(steps.confidence, "fair");
  EXPECT_NE(steps.doubt.find("the optimizer at train.py:41 steps 60 times"), std::string::npos) << steps.doubt;
}

// LBFGS evaluates its closure, and goes on with that nine times more: the program's step is all of it.
TEST(OptimizerSteps, MayBeEvaluationsOfAClosure) {
  Script script;
  for (int step = 0; step < 40; ++step) {
    const uint64_t begin = script.now();
    script.keep_windows(step, 20, 10, 16);
    script.launch(kClosure);
    for (int evaluation = 0; evaluation < 10; ++evaluation) {
      script.wait(kSetOut);
      script.launch(kOptimizer);
      script.go_on_until(begin + static_cast<uint64_t>(evaluation + 1) * kMs);
    }
  }
  const auto steps = steps_of(script);
  EXPECT_EQ(steps.seen, 400u) << steps.how;
  EXPECT_EQ(steps.confidence, "fair");
  EXPECT_NE(steps.doubt.find("comes 40 times, as the first evaluation of a closure"), std::string::npos) << steps.doubt;
}

// A number that divides the steps by chance, as the evaluations of a line search may, is no second optimizer.
TEST(OptimizerSteps, OfAnythingElseLeaveNoDoubt) {
  Script script;
  for (int step = 0; step < 240; ++step) {
    const uint64_t begin = script.now();
    script.keep_windows(step, 80, 40, 75);
    script.wait(kSetOut);
    script.launch(kLearn);
    script.launch(kOptimizer);
    if (step % 20 == 7 && step < 200) script.launch(kSecond);
    script.go_on_until(begin + kMs);
  }
  const auto steps = steps_of(script);
  EXPECT_EQ(steps.seen, 240u) << steps.how;
  EXPECT_EQ(steps.confidence, "high");
  EXPECT_EQ(steps.doubt, "");
}

// 260 steps wait 16 times each; four validations of 64 waits have a line that comes 256 times, nearly as often.
TEST(OptimizerSteps, AreNotMarkedByTheWaitsOfAFewValidations) {
  Script script;
  for (int step = 0; step < 260; ++step) {
    const uint64_t begin = script.now();
    script.keep_windows(step, 80, 40, 55);
    for (int image = 0; image < 16; ++image) {
      script.launch(kPlay);
      script.wait(kLearned);
    }
    script.launch(kOptimizer);
    script.go_on_until(begin + 4 * kMs);
    if (step % 60 != 59) continue;
    for (int image = 0; image < 64; ++image) script.wait(kPlayed);
  }
  const auto steps = steps_of(script);
  EXPECT_EQ(steps.each, 1u) << steps.how;
  EXPECT_EQ(steps.seen, 260u);
  EXPECT_EQ(steps.median_ns, 4 * kMs);
  EXPECT_EQ(steps.how, "counted by repeating optimizer launches, from train.py:3");
}

// A start-up fills 60 tensors, and three warm-up steps launch kernel by kernel; then each of 300 steps is one graph
// with the optimizer in it.
TEST(OptimizerSteps, EndWhereAGraphHasThemAll) {
  Script script;
  script.open_window(60 * kMs);
  for (int tensor = 0; tensor < 60; ++tensor) script.launch(kPlay);
  for (int step = 0; step < 3; ++step) {
    for (int layer = 0; layer < 100; ++layer) script.launch(kLearn);
    script.launch(kOptimizer);
    script.go_on_until(script.now() + kMs);
  }
  script.close_window();
  for (int step = 0; step < 300; ++step) {
    const uint64_t begin = script.now();
    script.keep_windows(step, 80, 40, 55);
    script.launch_graph();
    script.go_on_until(begin + 4 * kMs);
  }
  const auto steps = steps_of(script);
  EXPECT_EQ(steps.seen, 300u) << steps.how;
  EXPECT_EQ(steps.median_ns, 4 * kMs);
}

// `each` steps of 3 ms after a play of `play_ms`, ten times over. In the round `slow` the sixth step takes 40 ms
// longer.
Script rounds(uint64_t play_ms, int each = 16, int slow = -1) {
  Script script;
  for (int round = 0; round < 10; ++round) {
    for (uint64_t i = 0; i < play_ms; ++i) {
      const uint64_t begin = script.now();
      script.launch(kPlay);
      script.wait(kPlayed);
      script.go_on_until(begin + kMs);
    }
    if (round % 3 == 1) script.open_window(60 * kMs);
    for (int step = 0; step < each; ++step) {
      const uint64_t begin = script.now();
      script.wait(kLearned);
      script.launch(kLearn);
      script.launch(kOptimizer);
      script.go_on_until(begin + (round == slow && step == 5 ? 43 : 3) * kMs);
    }
    script.close_window();
  }
  return script;
}

TEST(StepRounds, AreStepsWhereWhatPartsThemIsMostOfTheRun) {
  const auto steps = steps_of(rounds(500));
  EXPECT_EQ(steps.each, 16u) << steps.how;
  EXPECT_EQ(steps.seen, 10u);
  EXPECT_EQ(steps.median_ns, 548 * kMs);
  EXPECT_EQ(steps.irregular, 0u);
  EXPECT_EQ(steps.how, "rounds of 16 steps each, counted by repeating optimizer launches, from train.py:3");
  EXPECT_NE(steps.doubt.find("take 9.0 % of the time"), std::string::npos) << steps.doubt;
}

TEST(StepRounds, AreNotPartedByAStepThatIsSlowByChance) {
  for (const int slow : {0, 4, 9}) {
    const auto steps = steps_of(rounds(500, 24, slow));
    EXPECT_EQ(steps.each, 24u) << steps.how;
    EXPECT_EQ(steps.seen, 10u) << "slow round: " << slow;
  }
}

// Two rounds that end early have no more steps together than a usual one, and a pause between them all the same.
TEST(StepRounds, ThatEndEarlyStayApart) {
  std::vector<uint64_t> begins;
  timeline::Steps steps;
  uint64_t now = 0;
  for (int round = 0; round < 20; ++round) {
    const int each = round == 7 ? 10 : round == 8 ? 12 : 24;
    for (int step = 0; step < each; ++step, now += 3 * kMs) {
      begins.push_back(now);
      if (step + 1 < each) steps.regular.push_back({now, now + 3 * kMs});
    }
    now += 500 * kMs;
  }
  steps.median_ns = 3 * kMs;
  const auto rounds = timeline::find_rounds(begins, steps);
  ASSERT_TRUE(rounds.has_value());
  EXPECT_EQ(rounds->begins.size(), 20u);
  EXPECT_EQ(rounds->each, 24u);
}

TEST(StepRounds, AreNoneWhereTheStepsAreMostOfTheRun) {
  const Script script = rounds(30);
  const auto steps = steps_of(script);
  EXPECT_EQ(steps.each, 1u);
  EXPECT_EQ(steps.seen, 160u);
  EXPECT_EQ(steps.median_ns, 3 * kMs);
  EXPECT_EQ(steps.irregular, 9u);
  EXPECT_EQ(steps.left_out_ns(), 9 * 33 * kMs);
  const reader::Trace trace = script.trace();
  uint64_t calls = 0;
  for (const auto& site : timeline::build_strands(trace, test::places_of(trace), steps))
    if (site.place.line == kPlayed) calls += site.left_out.calls;
  EXPECT_EQ(calls, 9u * 30u) << "those before the first round are start-up";
}

}  // namespace
}  // namespace syncsniff
