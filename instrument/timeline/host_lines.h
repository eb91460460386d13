// What the host did during a device's idle intervals, summed up line by line.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/code_after_waits.h"
#include "instrument/timeline/gpu_idle.h"
#include "instrument/timeline/host_time.h"
#include "instrument/timeline/host_work.h"
#include "instrument/timeline/meanwhile.h"
#include "instrument/timeline/stand_ins.h"

namespace syncsniff::timeline {

// What the host did in idle intervals within the steps: one kind of activity at one line.
struct HostLine {
  uint32_t row = 0;  // its number, in order of first occurrence
  HostDoing doing = HostDoing::kCode;
  trace::HostState state = trace::HostState::kUnknown;
  reader::Place place;   // the user's line
  reader::Place inner;   // the most useful library line beneath it; empty: the user's line alone is enough
  reader::Place before;  // for code without samples: the user's line of the call before it
  // thread: the name of a thread that runs no line of the program; `place` is then where the program waited for that
  // thread, if known.
  std::string api, thread;
  uint64_t idle_ns = 0;
  double pauses = 0;  // number of idle intervals that contain a part of it
  // For code after waits and for allocations: time outside of windows / time in windows; 0: not known.
  double outside_factor = 0;
  reader::Place preceding_wait;  // the wait after which most of this idle time came; empty: no wait
  std::string preceding_wait_api;
  uint64_t preceding_wait_ns = 0;
  // For launching: what the line launched in the windows; kinds: from how many call paths and kernels.
  uint64_t starting_ns = 0;  // idle time until the launched work had begun
  uint64_t launches = 0, in_row = 0, graphs = 0, copies = 0, spaced = 0, spacing_ns = 0, matched = 0, kernel_ns = 0,
           kinds = 0;
  reader::StepPart part = reader::StepPart::kOther;
  reader::Updates updates = reader::Updates::kUnknown;  // for launches of an optimizer
  std::vector<OtherWork> meanwhile;                     // for a wait for others: what other threads did
  bool is_piece = false;                                // this row is all lines of a function (host_work.h)
  std::vector<LineOfWork> lines;                        // for such a piece: where in it most of the time goes

  // True for code that waits for another thread or process, which sets its own pace: the wait ends no earlier if the
  // host gets to it later.
  bool waits_for_others() const;
};

// Kernels that one call path launched.
struct Kernels {
  uint64_t count = 0, ns = 0;
  std::set<uint32_t> names;
};

// A text that is unique for each source line, used as a key for sums by line.
std::string line_key(const reader::Place& place);

// Sums up the parts of idle intervals by line.
class HostLines {
 public:
  HostLines(const reader::Trace& trace, const reader::Places& places, const HostWork& work, const StandIns& stand_ins,
            const OutsideFactors& factors, const OutsideFactors& allocations)
      : trace_(trace),
        places_(places),
        work_(work),
        stand_ins_(stand_ins),
        factors_(factors),
        allocations_(allocations),
        meanwhile_(trace, places) {}
  void add(const HostPart& part, const IdleGap& gap);
  // Adds the launches of all call paths to their lines. `kernels`: by stack.
  void add_launches(const HostTime& host, const std::unordered_map<uint32_t, Kernels>& kernels);
  // The rows that a part belongs to, by number, with the share of each. To be called when all gaps have been added.
  // Unsampled time belongs to the lines that samples found between the same calls.
  std::vector<std::pair<uint32_t, double>> owners_of(const HostPart& part);
  // True if more than half of a part is spent waiting for another thread or process.
  bool waits_for_others(const std::vector<std::pair<uint32_t, double>>& owners) const;
  std::vector<HostLine> take();  // greatest first

 private:
  using ByStacks = std::tuple<HostDoing, trace::HostState, uint32_t, uint32_t, uint32_t, uint16_t, uint32_t>;
  using ByPlaces =
      std::tuple<HostDoing, trace::HostState, std::string, std::string, std::string, std::string, reader::StepPart>;
  // All executions of the code between two calls: the lines that samples found in it, and the unsampled time.
  struct Between {
    uint64_t sampled_ns = 0, sampled = 0, unseen_ns = 0;
    std::map<size_t, uint64_t> lines;   // that samples found
    std::map<size_t, uint64_t> unseen;  // the same for rows that stand for the unsampled time
  };
  using Wait = std::pair<uint32_t, uint32_t>;  // stack, api

  reader::StepPart part_of(uint32_t stack, uint32_t behind) const;
  const reader::Frame* piece_of(const HostPart& part) const;
  size_t find(HostPart part);
  double share_of_launching(uint32_t stack, size_t line) const;
  std::map<size_t, uint64_t> share_out(const Between& between);
  void name_waits();
  void add_known(size_t line, double ns, double factor);
  void finish_code();

  const reader::Trace& trace_;
  const reader::Places& places_;
  const HostWork& work_;
  const StandIns& stand_ins_;
  const OutsideFactors &factors_, &allocations_;
  Meanwhile meanwhile_;
  std::vector<HostLine> lines_;
  std::vector<uint64_t> last_gap_;  // by line: end of the last idle interval that contains a part of it
  std::map<ByStacks, size_t> by_stacks_;
  std::map<ByPlaces, size_t> by_places_;
  // By line: its time where the time outside of windows is known, and that time outside of windows.
  std::map<size_t, std::pair<double, double>> known_;
  std::map<uint32_t, uint64_t> starting_;                               // by stack of the launch
  std::unordered_map<uint32_t, std::map<size_t, uint64_t>> launching_;  // by stack of the launch and line
  std::map<size_t, std::map<Wait, uint64_t>> let_dry_;                  // by line
  std::map<size_t, std::map<uint32_t, uint64_t>> pieces_;               // time by line and stack
  std::map<std::pair<uint32_t, uint32_t>, Between> between_;
};

}  // namespace syncsniff::timeline
