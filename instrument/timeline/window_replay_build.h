// Converts the host's parts and the device's work in a window to pieces that can be replayed (window_replay.h).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "instrument/timeline/host_lines.h"
#include "instrument/timeline/host_time.h"
#include "instrument/timeline/window_replay.h"

namespace syncsniff::timeline {

// One work of the device; `launch`: nullptr if not known.
struct LaunchedWork {
  Interval interval;
  const trace::CallRecord* launch = nullptr;
};

class ReplayBuilder {
 public:
  struct Outside {
    const OutsideFactors &code, &allocations;
  };
  // `lines` must know all idle gaps of the device. `usual_start_ns`: from a launch until an idle device begins.
  ReplayBuilder(const HostTime& host, HostLines& lines, const Outside& outside, uint64_t usual_start_ns)
      : host_(host), lines_(lines), outside_(outside), usual_start_ns_(static_cast<double>(usual_start_ns)) {}

  // `works` must be ordered by begin and lie within `whole`.
  void add(const Interval& whole, const std::vector<LaunchedWork>& works);
  WindowReplay take();

 private:
  using Parts = std::vector<HostPart>;
  // Code between two calls in which the host waits for another thread or process.
  struct Wait {
    size_t window, piece;  // piece: index of its last one
    uint32_t owner;        // of most of the waiting
    Interval interval;
    double until_ns;  // its end, from the window's begin
  };

  double outside_factor(const HostPart& part) const;
  void add_host(const Interval& span, const Parts& parts, ReplayWindow& window);
  std::vector<uint64_t> add_device(const Interval& span, const Parts& parts, const std::vector<LaunchedWork>& works,
                                   ReplayWindow& window) const;
  static void bind_waits(const Parts& parts, const std::vector<uint64_t>& ends, ReplayWindow& window);
  void set_pace(const std::vector<Wait>& waits);
  uint32_t owner_of(const HostPart& part);

  const HostTime& host_;
  HostLines& lines_;
  const Outside outside_;
  const double usual_start_ns_;
  WindowReplay replay_;
  std::map<std::vector<std::pair<uint32_t, double>>, uint32_t> owners_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Wait>> waits_;  // by the call paths before and after it
  size_t pieces_ = 0;
};

}  // namespace syncsniff::timeline
