// Runs a program under the shipped launcher and shim, over the fake driver and with a full timeline, and reads what
// samples say of it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/instrument/support.h"

namespace syncsniff {

// How many samples of one line say each state.
using StateCounts = std::map<trace::HostState, int>;

class SampledRun : public testing::Test {
 protected:
  static std::string built(const std::string& path) { return SHIM_TREE "/" + path; }
  static std::string client(const std::string& name) { return "'" + built("tests/clients/" + name) + "'"; }

  // `before`: a program, with arguments, that starts the launcher.
  test::Ran run(const std::string& program, const std::string& before = "") {
    return test::shell("export LD_LIBRARY_PATH='" + built("tests/fake_driver") + "' SYNCSNIFF_SHIM='" +
                           built("lib/syncsniff/libsyncsniff_shim.so") + "' FAKE_CUDA_KERNEL_US=200\n" + before +
                           " '" INSTRUMENT "' run --timeline=full -o t.sstrace " + program,
                       folder_);
  }
  reader::Trace trace() const { return reader::read_trace(folder_ + "/t.sstrace"); }

  // By the user's line, of the samples between calls.
  static std::map<uint32_t, StateCounts> states_by_line(const reader::Trace& trace) {
    const reader::Places places = test::places_of(trace);
    std::map<uint32_t, StateCounts> lines;
    for (const trace::SampleRecord& sample : trace.samples)
      if (sample.in_call == 0)
        ++lines[places.user_place(sample.stack).line][static_cast<trace::HostState>(sample.state)];
    return lines;
  }
  // What the program printed after "line WHAT ".
  static uint32_t line_of(const std::string& output, const std::string& what) {
    const std::string key = "line " + what + " ";
    const size_t at = output.find(key);
    EXPECT_NE(at, std::string::npos) << output;
    return at == std::string::npos ? 0 : static_cast<uint32_t>(std::stoul(output.substr(at + key.size())));
  }
  static int total(const StateCounts& counts) {
    int sum = 0;
    for (const auto& [state, count] : counts) sum += count;
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
