// What threads without CUDA calls, of the program and of processes that it has started, did while the thread that feeds
// the device waited: the work that it waited for, or the work of the holder of the lock.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/host_time.h"

namespace syncsniff::timeline {

struct OtherWork {
  // Line in the innermost function that nearly all samples go through; empty: of an unknown process.
  reader::Place place;
  reader::Place hottest;  // line beneath it that has more than half of the samples; empty: there is none
  trace::HostState state = trace::HostState::kRunning;
  double share = 0;           // share of the wait's samples in which it was seen
  bool is_elsewhere = false;  // in other processes
  std::string process;        // the process's name, if its place is not known
  unsigned threads = 0;       // how many threads did it; if is_elsewhere, how many processes
  double at_once = 1;         // how many of them were seen in such a sample, on average
};

class Meanwhile {
 public:
  Meanwhile(const reader::Trace& trace, const reader::Places& places) : trace_(trace), places_(places) {}
  // Adds a sample of the wait that is row `line`. `pause`: identifies the idle interval that the sample is in.
  void add(size_t line, const HostPart& part, uint64_t pause);
  // At most two, greatest share first. A thread that slept or read is only listed if it ran between the waits: one that
  // sleeps through all of them ended none.
  std::vector<OtherWork> of(size_t line) const;

 private:
  using Function = std::pair<std::string, std::string>;  // file and name
  struct Calls {                                         // samples of one function, and of what it called
    uint64_t count = 0;
    std::map<uint32_t, uint64_t> lines;
    std::map<Function, Calls> callees;
  };
  struct Turns {
    uint64_t pause = 0;
    uint32_t last = 0;
    unsigned pauses = 0, moved = 0;
  };
  using Doing = std::pair<uint32_t, trace::HostState>;  // thread and what it did
  struct Other {
    uint32_t pid = 0;  // 0: of the program
    Calls calls;
    std::vector<uint32_t> seen;  // the numbers of the wait's samples
  };
  struct Wait {
    uint32_t samples = 0;
    std::map<Doing, Other> others;
  };
  bool add_frames(const trace::OtherSampleRecord& sample, Calls& calls) const;
  void add_turns(const trace::OtherSampleRecord& sample, uint64_t pause);
  bool goes_on(uint32_t tid) const;
  struct InFunction {
    uint64_t count = 0;
    unsigned depth = 0;  // the greatest
    std::map<uint32_t, uint64_t> lines;
  };
  using Functions = std::map<Function, InFunction>;
  static const Calls* innermost_with(double least, const Calls& calls, reader::Place& place);
  static void add_functions(const Calls& calls, unsigned depth, std::set<Function>& on_path, Functions& functions);
  static reader::Place smallest_with(double least, const Calls& calls);
  static void merge(const Calls& from, Calls& into);
  static OtherWork work_of(const Calls& root, trace::HostState state);
  std::vector<OtherWork> works_of(const Wait& wait, bool of_running) const;

  const reader::Trace& trace_;
  const reader::Places& places_;
  std::map<size_t, Wait> waits_;  // by line
  std::map<uint32_t, Turns> turns_;
};

}  // namespace syncsniff::timeline
