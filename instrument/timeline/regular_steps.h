// Steps as a list of intervals, and which of them are regular: neither warm-up nor far longer than the others. Does not
// depend on how the steps were found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instrument/reader/trace.h"

namespace syncsniff::timeline {

inline constexpr size_t kMinSteps = 3;

struct Interval {
  uint64_t begin = 0, end = 0;
  uint64_t length() const { return end > begin ? end - begin : 0; }
};

struct Steps {
  std::vector<Interval> regular;  // in time order, disjoint
  size_t irregular = 0;           // longer than three medians (validation, checkpoints): left out of per-step figures
  size_t uneven = 0;              // equally long, but so many and so like the others that they count as regular
  size_t seen = 0;                // begun, whether measured or not
  size_t each = 1;                // a step is a round of so many optimizer steps (median) and what is between rounds
  size_t warm_up = 0;             // first steps, which are longer or load code: they belong to start-up
  uint64_t median_ns = 0;         // of regular steps; see timed_steps
  double timed_mean_ns = 0;       // of the same steps; of all regular ones where `uneven`
  std::string how;                // one line for the report; when none were found, why
  std::string doubt;              // other readings of the run, and how to choose one; empty: none
  std::string confidence;         // high | fair | low
  double launches = 0;            // of a regular step, on all devices; 0: not counted
  bool marked = false;            // by ranges that the program pushes around its steps
  bool evenly_cut = false;        // it is not known where steps begin: all are as long as their mean
  bool found() const { return !regular.empty(); }
  bool contains(uint64_t time_ns) const;
  bool before(uint64_t time_ns) const { return found() && time_ns < regular.front().begin; }
  bool after(uint64_t time_ns) const { return found() && time_ns >= regular.back().end; }
  // The parts of a span that regular steps cover; consecutive steps are merged.
  std::vector<Interval> within(const Interval& span) const;
  uint64_t regular_ns() const;  // all regular steps together
  // True between the first regular step and the last, but inside none.
  bool leaves_out(uint64_t time_ns) const {
    return found() && !before(time_ns) && !after(time_ns) && !contains(time_ns);
  }
  uint64_t left_out_ns() const;
  double mean_ns() const;  // of the regular ones
  // True if steps differ so much that a median says little about the cost of the run, as with a loader with two
  // workers: one step waits for both of them, the next one for none.
  bool differ() const { return uneven != 0 || timed_mean_ns > kDiffer * static_cast<double>(median_ns); }
  // Length of the step that the report's first lines name: the median, or the mean if steps differ.
  double typical_ns() const { return differ() ? timed_mean_ns : static_cast<double>(median_ns); }
  static constexpr double kDiffer = 1.1;
};

// Longer than three medians: such a step contains something (a validation, a checkpoint) that a usual step does not.
bool is_far_longer(const Interval& step, uint64_t median_ns);

// True if two counts differ by at most 2 %, or 1, and so count the same steps.
bool same_count(uint64_t a, uint64_t b);

// From each begin to the next one: time between two ranges belongs to the step before it.
std::vector<Interval> between(const std::vector<uint64_t>& begins, uint64_t last_end);

// Fills regular, irregular, uneven, warm_up and median_ns; fewer than kMinSteps regular steps count as none. If more
// than a sixteenth of the steps are far longer and launch no more than the others, they are regular, since this is how
// the program steps: four workers of a loader deliver four batches at once, and every fourth step waits for all of
// them. Fewer are enough if they occur without a period all through the run, unlike checkpoints, and take a tenth of
// its time.
void keep_regular(const reader::Trace& trace, const std::vector<Interval>& all, Steps& steps);

// The regular steps whose time is not affected by recording. CUPTI makes the steps in its windows longer: if those are
// few, all steps are returned, since the median hardly moves; otherwise those outside of windows.
std::vector<Interval> timed_steps(const reader::Trace& trace, const std::vector<Interval>& regular);

// True if the number of regular steps times their median is their total time, within a third.
bool adds_up(const Steps& steps);

// True if the program enqueues most of its work in these steps. A few waits at the start or the end of a run may look
// regular, too.
bool holds_the_work(const reader::Trace& trace, const std::vector<uint64_t>& begins,
                    const std::vector<Interval>& regular);

}  // namespace syncsniff::timeline
