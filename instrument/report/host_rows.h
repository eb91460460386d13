// The rows of a device's idle time: what the host did meanwhile, line by line, ranked by what fixing a row would save.
#pragma once

#include <string>
#include <vector>

#include "instrument/timeline/gpu_timeline.h"
#include "instrument/timeline/remedies.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::report {

inline constexpr double kLeastShare = 0.01;  // of a step; smaller rows are summed up as "the rest"

// Times are ns per step; without steps, ns in all windows.
struct HostRow {
  double ns = 0;     // idle time of the GPU
  double saves = 0;  // what a step would gain if this row alone were fixed; 0 without steps
  double saves_at_most = 0;
  bool hides = false;  // a wait that keeps the host from working while the GPU works: it costs more than its own time
  std::string doing, text, details;
  std::vector<const timeline::HostLine*> lines;
};

// Ordered by saving, then by time; without steps by time. `gains` must be made with `share`.
std::vector<HostRow> ranked_rows(const timeline::DeviceTimeline& device, const timeline::StepShare& share,
                                 const timeline::Gains& gains);

// "train.py:12 step  cudaMemcpy  (thread loader)"; for code between two calls "train.py:12 to train.py:20". If no line
// is known, only the thread is named.
std::string where_text(const reader::Place& place, const reader::Place& before, const std::string& call,
                       const std::string& thread);

// What the host did, such as "launching"; for code also what it waited for: "waits: a thread".
const char* doing_text(const timeline::HostLine& line);

}  // namespace syncsniff::report
