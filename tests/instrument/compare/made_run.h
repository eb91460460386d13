// A small trainer's trace, made of its parts: load() in host code, a blocking copy, a launch loop, a wait. Windows of
// the GPU's side cover 20 of its steps. Lines: load() 17, copy 30, update() 40, wait() 60, plus `moved`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>

#include "instrument/compare/run_figures.h"
#include "tests/instrument/support.h"

namespace syncsniff::test {

struct MadeRun {
  uint64_t load_us = 800, copy_us = 0, kernels = 8, kernel_us = 12, issue_us = 30, steps = 60;
  uint64_t jitter_us = 20;  // load() takes up to that much longer, in a fixed order
  uint32_t moved = 0;       // lines that were put in at the top of the file
  bool windows = true, waits = true;
  std::string file = "/home/u/src/train.cu", load = "load()", wait = "wait()", command = "./train";
};

class RunWriter {
 public:
  explicit RunWriter(const MadeRun& run) : run_(run) {}

  std::string text() {
    body_.str("");
    for (step_ = 0; step_ < run_.steps; ++step_) step();
    std::ostringstream text;
    text << "trace timeline=1 start=1000000 end=" << now_ + 1000000
         << " stop_reason=1 executable=\"/home/u/train\" command=\"" << run_.command << "\"\nchunk tid=41\n"
         << "api id=1 text=\"cuStreamSynchronize\"\napi id=2 text=\"cuLaunchKernel\"\n"
         << "api id=3 text=\"cuMemcpyHtoD_v2\"\nstring id=1 text=\"_Z4axpyv\"\nthread text=\"train\"\n"
         << "module bias=0x10000 begin=0x10000 end=0x90000 path=\"/home/u/train\"\n"
         << stack(1, 60, run_.wait) << stack(2, 40, "update()") << stack(3, 17, run_.load) << stack(4, 30, "copy_in()");
    if (run_.windows)
      for (const auto& [from, to] : {std::pair(10, 20), std::pair(30, 40)})
        text << "window begin=" << begins_[from] - 1000 << " end=" << begins_[to]
             << " launches=" << begins_[from] - 1000 << "\n";
    text << "clock monotonic=1000000 cupti=1000000\nclock monotonic=" << now_ << " cupti=" << now_ << "\n"
         << body_.str() << "count api=2 class=launch stack=2 count=" << run_.steps * run_.kernels
         << " total=" << run_.steps * run_.kernels * 5000 << " first=" << first_launch_ << " last=" << last_launch_
         << " object=0x9\n";
    return text.str();
  }

 private:
  std::string stack(int id, uint32_t line, const std::string& function) const {
    std::ostringstream text;
    text << "stack id=" << id << " native=0x10" << id << "00\nsymbol address=0x10" << id
         << "00 line=" << line + run_.moved << " function=\"" << function << "\" file=\"" << run_.file << "\"\n";
    return text.str();
  }

  bool in_window() const { return run_.windows && ((step_ >= 10 && step_ < 20) || (step_ >= 30 && step_ < 40)); }

  void step() {
    begins_[step_] = now_;
    load();
    if (run_.copy_us != 0) {
      body_ << "call api=3 class=copy flags=blocked src=pageable dst=device stack=4 begin=" << now_
            << " duration=" << run_.copy_us * 1000 << " bytes=65536\n";
      now_ += run_.copy_us * 1000 + 1000;
    }
    launch();
    if (run_.waits) wait();
  }

  void load() {
    const uint64_t end = now_ + 1000 * (run_.load_us + run_.jitter_us * ((step_ * 37) % 11) / 10);
    if (in_window())
      for (uint64_t at = now_ + 20000; at < end; at += 50000)
        body_ << "sample state=running stack=3 tid=41 time=" << at << "\n";
    now_ = end;
  }

  void launch() {
    const uint64_t first = now_;
    if (first_launch_ == 0) first_launch_ = first;
    for (uint64_t i = 0; i < run_.kernels; ++i, now_ += run_.issue_us * 1000) {
      last_launch_ = now_;
      const uint64_t begin = std::max(done_, now_ + 8000);
      done_ = begin + run_.kernel_us * 1000;
      if (!in_window()) continue;
      body_ << "call api=2 class=launch flags=in-window stack=2 begin=" << now_
            << " duration=5000 stream=0x7 object=0x9\ngpu kind=kernel device=0 stream=7 correlation=" << ++correlation_
            << " begin=" << begin << " end=" << done_ << " name=1 grid_x=1 grid_y=1 grid_z=1 block_threads=32\n";
    }
    body_ << "burst launches=" << run_.kernels << " begin=" << first << " end=" << last_launch_ + 5000
          << " in_calls=" << run_.kernels * 5000 << " first_stack=2 last_stack=2\n";
  }

  void wait() {
    const uint64_t begin = now_;
    now_ = std::max(now_ + 2000, done_ + 3000);
    body_ << "call api=1 class=wait flags=blocked,drained stack=1 begin=" << begin << " duration=" << now_ - begin
          << " stream=0x7\n";
    const uint64_t next = now_ + run_.load_us * 1000;
    body_ << "idle wait_api=1 wait_stack=1 enqueue_stack=2 wait_begin=" << begin << " begin=" << now_ << " end=" << next
          << " wait_tid=41 enqueue_tid=41\n";
  }

  const MadeRun run_;
  std::ostringstream body_;
  uint64_t step_ = 0, now_ = 2000000, done_ = 0, first_launch_ = 0, last_launch_ = 0, correlation_ = 0;
  std::map<uint64_t, uint64_t> begins_;
};

inline std::string made_text(const MadeRun& run) { return RunWriter(run).text(); }

inline compare::RunFigures figures_of(const MadeRun& run) {
  const reader::Trace trace = trace_of(made_text(run));
  const reader::Places places = places_of(trace);
  return compare::figures_of_run(report::make_report(trace, places, {}, {}));
}

}  // namespace syncsniff::test
