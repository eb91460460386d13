// Runs a program under the shipped launcher and shim, over the fake driver and with a full timeline, and reads what
// samples say of it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "tests/instrument/support.h"

namespace syncsniff {

// How long a line was seen in each state, in ms.
using StateTimes = std::map<trace::HostState, double>;

class SampledRun : public testing::Test {
 protected:
  static std::string built(const std::string& path) { return SHIM_TREE "/" + path; }
  static std::string client(const std::string& name) { return "'" + built("tests/clients/" + name) + "'"; }

  // `before`: a program, with arguments, that starts the launcher.
  test::Ran run(const std::string& program, const std::string& before = "", const std::string& timeline = "full") {
    return test::shell("export LD_LIBRARY_PATH='" + built("tests/fake_driver") + "' SYNCSNIFF_SHIM='" +
                           built("lib/syncsniff/libsyncsniff_shim.so") + "' FAKE_CUDA_KERNEL_US=200\n" + before +
                           " '" INSTRUMENT "' run --timeline=" + timeline + " -o t.sstrace " + program,
                       folder_);
  }
  reader::Trace trace() const { return reader::read_trace(folder_ + "/t.sstrace"); }

  // By the user's line, between calls. A sample stands for the time since the thread's last one: where processors are
  // short, one that computes is looked at late.
  static std::map<uint32_t, StateTimes> times_by_line(const reader::Trace& trace) {
    const reader::Places places = test::places_of(trace);
    std::map<uint32_t, StateTimes> lines;
    std::map<uint32_t, uint64_t> before_ns;  // by thread
    for (const trace::SampleRecord& sample : trace.samples) {
      const uint64_t since_ns = std::exchange(before_ns[sample.tid], sample.time_ns);
      if (sample.in_call != 0 || since_ns == 0) continue;
      lines[places.user_place(sample.stack).line][static_cast<trace::HostState>(sample.state)] +=
          static_cast<double>(sample.time_ns - since_ns) * 1e-6;
    }
    return lines;
  }
  static double total(const StateTimes& times) {
    double sum = 0;
    for (const auto& [state, ms] : times) sum += ms;
    return sum;
  }
  static int notes_with(const reader::Trace& trace, const std::string& part) {
    int found = 0;
    for (const std::string& note : trace.notes) found += note.find(part) != std::string::npos ? 1 : 0;
    return found;
  }

  const std::string folder_ = test::fresh_folder();
};

}  // namespace syncsniff
