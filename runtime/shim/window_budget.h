// When the GPU's side is recorded: windows that together slow the program by no more than its share. Pure: times are
// ns since the first launch, `launches` are counted by the whole process; nothing here reads a clock.
#pragma once

#include <algorithm>
#include <cstdint>

namespace syncsniff::shim {

class WindowBudget {
 public:
  // `share`: of the program's time that windows may cost it, 0.02 unless the user says otherwise.
  explicit constexpr WindowBudget(double share) noexcept : share_(share) {}

  bool may_open(uint64_t now_ns, uint64_t launches) const noexcept {
    if (is_spent() || share_ <= 0 || launches == closed_launches_ || now_ns < next_ns_) return false;
    // Code is loaded and memory is allocated first: that is no step.
    if (static_cast<double>(now_ns) * share_ < kFirstAllowanceNs) return false;
    return allows_whole(now_ns, launches) || (windows_ < kShortWindows && allowance_ns(now_ns) >= kFirstAllowanceNs);
  }
  void open(uint64_t now_ns, uint64_t launches) noexcept {
    const auto affordable = static_cast<uint64_t>(std::max(0.0, allowance_ns(now_ns)) / kLaunchCostNs / records_each_);
    most_launches_ = allows_whole(now_ns, launches) ? kMostLaunches : std::min(kMostLaunches, affordable);
    opened_ns_ = now_ns;
    opened_launches_ = launches;
    ++windows_;
  }

  bool must_close(uint64_t now_ns, uint64_t launches) const noexcept {
    return now_ns - opened_ns_ >= std::min(length_ns_, longest_at(opened_ns_)) ||
           launches - opened_launches_ >= most_launches_;
  }
  // `records`: how many the GPU's side had in it.
  void close(uint64_t now_ns, uint64_t launches, uint64_t records) noexcept {
    const uint64_t length = now_ns - opened_ns_, began = launches - opened_launches_;
    spent_ns_ += cost(static_cast<double>(std::max(began, records)));
    recorded_ += began + records;
    closed_launches_ = launches;
    next_ns_ = now_ns + kMostOften * length;
    // The length of a step is not known here: windows grow until whole steps fit into them.
    length_ns_ = std::min(2 * length_ns_, kLongestNs);
    // Only records say how many kernels a graph holds.
    if (began != 0) records_each_ = std::max(1.0, static_cast<double>(records) / static_cast<double>(began));
  }
  // Records of work that was enqueued after the window, before CUPTI could leave.
  void add_records(uint64_t records) noexcept {
    spent_ns_ += cost(static_cast<double>(records));
    recorded_ += records;
  }
  // What else a window has cost the program.
  void spend(uint64_t ns) noexcept { spent_ns_ += static_cast<double>(ns); }
  // The trace has reached its limit of window records.
  bool is_spent() const noexcept { return recorded_ >= kMostRecords; }

 private:
  // One launch under CUPTI, with the samples and records of a window, on an H200: 0.5 us in C++, 1 us in a plain
  // PyTorch loop, 4 us for each kernel of a JAX graph, 5 to 9 us under transformers and Lightning.
  static constexpr double kLaunchCostNs = 6000;
  static constexpr double kFirstAllowanceNs = 8e6;  // at 2 %: after 0.4 s
  static constexpr uint64_t kShortestNs = 60000000, kLongestNs = 2000000000;
  static constexpr uint64_t kMostLaunches = 200000;  // in one window
  static constexpr uint64_t kMostRecords = 4000000;  // of 64 bytes, in all: 256 MB of trace
  static constexpr uint64_t kMostOften = 5;          // a window, and five times its length without one
  static constexpr double kLongestShare = 0.08;      // of the time since the first launch, in one window

  // So many windows may be shorter than they should be: a program that launches faster than a whole window can be paid
  // for would run for seconds before its first one.
  static constexpr unsigned kShortWindows = 4;

  static constexpr double cost(double launches) noexcept { return launches * kLaunchCostNs; }
  double allowance_ns(uint64_t now_ns) const noexcept { return static_cast<double>(now_ns) * share_ - spent_ns_; }
  bool allows_whole(uint64_t now_ns, uint64_t launches) const noexcept {
    const double rate = records_each_ * static_cast<double>(launches) / static_cast<double>(now_ns);
    const uint64_t length = std::min(length_ns_, longest_at(now_ns));
    return cost(rate * static_cast<double>(length)) <= allowance_ns(now_ns);
  }
  static constexpr uint64_t longest_at(uint64_t now_ns) noexcept {
    return std::max(kShortestNs, static_cast<uint64_t>(static_cast<double>(now_ns) * kLongestShare));
  }

  double share_, spent_ns_ = 0, records_each_ = 1;
  unsigned windows_ = 0;
  uint64_t most_launches_ = kMostLaunches;
  uint64_t next_ns_ = 0, length_ns_ = kShortestNs, opened_ns_ = 0, opened_launches_ = 0, closed_launches_ = 0,
           recorded_ = 0;
};

}  // namespace syncsniff::shim
