// How rows name where the host was.
#include <gtest/gtest.h>

#include <sstream>

#include "instrument/report/host_rows.h"
#include "instrument/report/ranks.h"
#include "instrument/report/terminal_parts.h"
#include "tests/instrument/support.h"

namespace syncsniff::report {
namespace {

const reader::Place kStep{"/home/u/train.py", 12, "Trainer.step"}, kTop{"/home/u/train.py", 80, "<module>"}, kNone;

TEST(Rows, ALineItsFunctionItsCallAndItsThread) {
  EXPECT_EQ(where_text(kStep, kNone, "", ""), "train.py:12 Trainer.step");
  EXPECT_EQ(where_text(kStep, kNone, "cudaMemcpy", "loader"), "train.py:12 Trainer.step  cudaMemcpy  (thread loader)");
  EXPECT_EQ(where_text(kTop, kNone, "", ""), "train.py:80");
  EXPECT_EQ(where_text(kTop, kNone, "", "pt_autograd_0"), "train.py:80  (thread pt_autograd_0)");
  EXPECT_EQ(where_text(kTop, kStep, "", ""), "train.py:12 to train.py:80");
  EXPECT_EQ(where_text(kStep, kStep, "", ""), "train.py:12");
}

TEST(Rows, AThreadWithoutALineIsNamedAlone) {
  EXPECT_EQ(where_text(kNone, kNone, "", "pt_autograd_0"), "thread pt_autograd_0");
  EXPECT_EQ(where_text(kNone, kNone, "cudaFree", ""), "unknown place  cudaFree");
}

timeline::HostLine launching(uint32_t row, const reader::Place& place, reader::StepPart part, uint64_t launches,
                             uint64_t in_row, uint64_t spacing_us) {
  timeline::HostLine line;
  line.row = row;
  line.doing = timeline::HostDoing::kLaunching;
  line.place = place;
  line.part = part;
  line.idle_ns = 100'000;
  line.launches = line.spaced = launches;
  line.in_row = in_row;
  line.kinds = 1;
  line.spacing_ns = launches * spacing_us * 1000;
  return line;
}

// A line's launches in two parts of a step are one row, which says what all of them take.
TEST(Rows, ALineThatLaunchesInSeveralPartsOfAStepIsOne) {
  const timeline::HostLine forward = launching(0, kStep, reader::StepPart::kForward, 10, 9, 8);
  const timeline::HostLine backward = launching(1, kStep, reader::StepPart::kBackward, 30, 28, 4);
  const timeline::HostLine elsewhere = launching(2, kTop, reader::StepPart::kForward, 10, 9, 8);
  timeline::DeviceTimeline device;
  device.host_lines = {forward, backward, elsewhere};
  const timeline::StepShare share = timeline::share_of_step(device, {});
  const auto rows = ranked_rows(device, share, timeline::Gains(device, share));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].text, "train.py:12 Trainer.step");
  EXPECT_EQ(rows[0].ns, 200'000);
  EXPECT_EQ(rows[0].details.find("40 launches in the windows, one every 5.00 us: one launch over all"), 0u)
      << rows[0].details;
}

// Another process that reads is itself held up: it is not what a thread waits for.
TEST(Rows, ProcessesThatWaitThemselvesAreNotWhatAThreadWaitsFor) {
  timeline::HostLine wait;
  wait.place = kStep;
  wait.idle_ns = 100'000;
  wait.state = trace::HostState::kLock;
  wait.meanwhile.push_back({.place = kTop,
                            .state = trace::HostState::kRead,
                            .share = 0.9,
                            .is_elsewhere = true,
                            .threads = 3,
                            .at_once = 3});
  timeline::DeviceTimeline device;
  device.host_lines = {wait};
  const timeline::StepShare share = timeline::share_of_step(device, {});
  const auto details = [&] { return ranked_rows(device, share, timeline::Gains(device, share))[0].details; };
  EXPECT_EQ(details(), "");
  device.host_lines[0].meanwhile[0].state = trace::HostState::kRunning;
  EXPECT_EQ(details(), "meanwhile 3 other processes work at train.py:80 for 90 % of it");
  device.host_lines[0].meanwhile[0].state = trace::HostState::kRead;
  device.host_lines[0].state = trace::HostState::kRead;
  EXPECT_EQ(details(), "meanwhile 3 other processes read at train.py:80 for 90 % of it");
}

// Of a run whose launches begin so long after the call.
std::string notes_of(uint64_t start_us) {
  std::ostringstream text;
  text << "trace timeline=1 start=0 end=61000000\nchunk tid=1\nwindow begin=1000000 end=60000000 launches=1\n"
          "clock monotonic=0 cupti=0\nclock monotonic=61000000 cupti=61000000\napi id=2 text=\"cuLaunchKernel\"\n"
       << test::plain_stacks(2);
  for (uint64_t step = 1; step < 50; ++step)
    text << "call api=2 class=launch flags=in-window stack=2 begin=" << 1000000 * step << " duration=5000\n"
         << "gpu kind=kernel correlation=" << step << " begin=" << 1000000 * step + 5000 + start_us * 1000
         << " end=" << 1000000 * step + 500000 << '\n';
  const reader::Trace trace = test::trace_of(text.str());
  const reader::Places places = test::places_of(trace);
  std::string notes;
  for (const std::string& note : make_report(trace, places, {}, {}).notes) notes += note + '\n';
  return notes;
}

TEST(Rows, LaunchesThatBeginLateAreNotedAsAnotherProcesss) {
  EXPECT_NE(notes_of(140).find("GPU 0 idle begins only 140 us later (median"), std::string::npos) << notes_of(140);
  EXPECT_EQ(notes_of(9).find("begins only"), std::string::npos);
}

// 45 steps of 1 ms, of three launches each; the only window lies before them, and the GPU works for 600 of its 700 us.
std::string run_with_a_window_before_its_steps(int kernels) {
  std::ostringstream text;
  text << "trace timeline=1 start=0 end=61000000\nchunk tid=1\nwindow begin=100000 end=900000 launches=1\n"
          "clock monotonic=0 cupti=0\napi id=1 text=\"cuCtxSynchronize\"\napi id=2 text=\"cuLaunchKernel\"\n"
       << test::plain_stacks(2) << "count api=2 class=launch stack=2 count=" << 45 * 3
       << " first=5000000 last=49300000\n";
  for (int kernel = 0; kernel < kernels; ++kernel)
    text << "gpu kind=kernel begin=" << 200000 + kernel * 600000 / kernels
         << " end=" << 200000 + (kernel + 1) * 600000 / kernels << '\n';
  for (int step = 5; step < 50; ++step)
    text << "burst launches=3 begin=" << 1000000 * step << " end=" << 1000000 * step + 300000
         << " first_stack=2 last_stack=2\ncall api=1 class=wait flags=blocked,drained stack=1 begin="
         << 1000000 * step + 400000 << " duration=300000\n";
  return text.str();
}

struct Reported {
  explicit Reported(const std::string& run)
      : trace(test::trace_of(run)), report(make_report(trace, test::places_of(trace), {}, {})) {
    std::ostringstream out;
    write_terminal(report, false, out);
    for (const char c : out.str())  // lines are wrapped
      if (c != '\n')
        text += c;
      else if (!text.empty() && text.back() != ' ')
        text += ' ';
  }
  const reader::Trace trace;
  const RunReport report;
  std::string text;
};

// A short run's only window may lie in its start-up: that is said, and how busy the GPU was in it.
TEST(Rows, WindowsThatHoldNoStepTellHowBusyTheGpuWasInThem) {
  const Reported run(run_with_a_window_before_its_steps(1));
  EXPECT_TRUE(run.report.analysis.steps.found());
  EXPECT_NE(run.text.find("GPU 0 busy 85.7 % (600 us of the windows, 1 kernels), idle 14.3 % (100 us); from 1 window "
                          "of 700 us in all, 1.1 % of the run, outside of the steps that are measured: not per step"),
            std::string::npos)
      << run.text;
  EXPECT_NE(run.text.find("no step that is measured lies in the 1 window of GPU activity"), std::string::npos);
  EXPECT_EQ(run.text.find("busy about"), std::string::npos) << "of one kernel a step's work is not known";
  EXPECT_TRUE(run.report.analysis.devices.empty()) << "no gate and no comparison uses it";
}

// 150 kernels are the launches of 50 steps: a step's are 12 us of work, in 1 ms.
TEST(Rows, AStepsWorkIsEstimatedFromItsLaunches) {
  const Reported run(run_with_a_window_before_its_steps(150));
  EXPECT_NE(run.text.find("a step: busy about 1.2 % (12.0 us), if its 3 launches are as much work each"),
            std::string::npos)
      << run.text;
}

// Each step: 100 us of allocating, 300 us of host code, and a wait for the 200 us that a kernel takes. The wait is a
// row of 5 us, but without it the host works while the GPU does.
TEST(Rows, AreRankedByWhatTheyWouldSave) {
  std::ostringstream text;
  text << "trace timeline=1\nchunk tid=1\nclock monotonic=0 cupti=0\napi id=1 text=\"cuCtxSynchronize\"\n"
          "api id=2 text=\"cuLaunchKernel\"\napi id=3 text=\"cuMemAlloc_v2\"\n"
       << test::plain_stacks(4) << "window begin=0 end=" << 20 * 620000 << " launches=0\n";
  timeline::Steps steps;
  steps.median_ns = 620000;
  for (uint64_t step = 0; step < 20; ++step) {
    const uint64_t at = step * 620000;
    steps.regular.push_back({at, at + 620000});
    text << "call api=3 class=allocate stack=1 begin=" << at << " duration=100000\n"
         << "call api=2 class=launch stack=2 begin=" << at + 400000 << " duration=5000\n"
         << "gpu kind=kernel correlation=" << step + 1 << " begin=" << at + 410000 << " end=" << at + 610000 << "\n"
         << "call api=1 class=wait stack=3 begin=" << at + 405000 << " duration=210000\n";
  }
  const reader::Trace trace = test::trace_of(text.str());
  const reader::Places places = test::places_of(trace);
  const auto devices = timeline::build_gpu_timelines(trace, places, steps);
  const timeline::StepShare share = timeline::share_of_step(devices.at(0), steps);
  const std::vector<HostRow> rows = ranked_rows(devices[0], share, timeline::Gains(devices[0], share));
  ASSERT_GE(rows.size(), 3u);
  EXPECT_EQ(rows[0].doing, "host code");
  EXPECT_EQ(rows[1].doing, "waiting");
  EXPECT_TRUE(rows[1].hides);
  EXPECT_EQ(rows[2].doing, "allocating");
  EXPECT_LT(rows[1].ns, rows[2].ns);
  EXPECT_NEAR(rows[0].saves, 300000, 10000);
  EXPECT_NEAR(rows[1].saves, 200000, 15000);
  EXPECT_NEAR(rows[2].saves, 100000, 5000);
}

// The code of a file itself waits, launches, copies and lies beneath in a library: its name is in the JSON alone.
TEST(Rows, NoReportSaysModule) {
  std::ostringstream text;
  text << "trace timeline=1 start=0 end=41000000\nchunk tid=1\nwindow begin=1000000 end=40000000 launches=1\n"
          "clock monotonic=0 cupti=0\nclock monotonic=41000000 cupti=41000000\n"
          "api id=1 text=\"cuMemcpyHtoDAsync_v2\"\napi id=2 text=\"cuLaunchKernel\"\n"
          "code id=1 version=0x30b first_line=80 file=\"/home/u/train.py\" name=\"<module>\"\n"
          "code id=2 version=0x30b first_line=7 file=\"/v/site-packages/fast/run.py\" name=\"<module>\"\n"
          "stack id=1 python=2:0,1:0\nstack id=2 python=1:0\n";
  for (int step = 1; step < 40; ++step) {
    const int at = 1000000 * step;
    text << "sent begin=" << at + 100000 << " bytes=4000000 hash=7 varied=99 compared=112\n"
         << "call api=1 class=copy flags=blocked,drained src=pageable dst=device stack=1 bytes=4000000 begin="
         << at + 100000 << " duration=300000\nidle wait_api=1 wait_stack=1 enqueue_stack=2 begin=" << at + 400000
         << " end=" << at + 800000 << "\ncall api=2 class=launch flags=in-window stack=2 begin=" << at + 800000
         << " duration=5000\ngpu kind=kernel begin=" << at + 810000 << " end=" << at + 900000
         << "\nburst launches=1 begin=" << at + 800000 << " end=" << at + 805000 << " first_stack=2 last_stack=2\n";
  }
  const reader::Trace trace = test::trace_of(text.str());
  const reader::Places places = test::places_of(trace);
  const RunReport report = make_report(trace, places, {}, {});
  std::ostringstream terminal, json;
  write_terminal(report, false, terminal);
  write_json(report, {}, json);
  for (const char* part : {"what the host did meanwhile", "in run.py:7", "Sent to the GPU again", "train.py:80"})
    EXPECT_NE(terminal.str().find(part), std::string::npos) << part << "\n" << terminal.str();
  EXPECT_EQ(terminal.str().find("<module>"), std::string::npos) << terminal.str();
  EXPECT_NE(json.str().find("<module>"), std::string::npos);
}

}  // namespace
}  // namespace syncsniff::report
