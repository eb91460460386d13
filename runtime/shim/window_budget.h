// Decides when the GPU's work is recorded: in windows that together slow the program by no more than a given share.
// Works on plain numbers: times are ns since the first launch, `launches` are counted over the whole process; it reads
// no clock.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/shim/launch_pace.h"

namespace syncsniff::shim {

class WindowBudget {
 public:
  // `share`: the share of the program's time that windows may cost it; 0.02 by default.
  explicit constexpr WindowBudget(double share) noexcept : share_(share) {}

  // Lets time pass: to be called often while no window is open. `attach_ns`: the cost of attaching CUPTI before the
  // next window and detaching it afterwards; 0 if it is attached.
  void pass(uint64_t now_ns, uint64_t launches, uint64_t attach_ns) noexcept {
    const auto elapsed = static_cast<double>(now_ns - now_ns_), begun = static_cast<double>(launches - launches_);
    pace_.pass(now_ns, launches);
    now_ns_ = now_ns;
    launches_ = launches;
    attach_ns_ = static_cast<double>(attach_ns);
    if (elapsed <= 0) return;
    recent_rate_ += (begun / elapsed - recent_rate_) * elapsed / (elapsed + kRecentNs);
    // What a quiet start-up has saved must not be spent at once when the steps begin: a JAX program of 1.4 s, which had
    // compiled for 5 s before, lost 0.36 s to four windows. So no more is saved than the next window needs.
    const double most = std::max(kFirstAllowance, whole_cost(now_ns, launches)) + attach_ns_;
    allowance_ns_ = std::min(allowance_ns_ + elapsed * share_, most);
  }

  bool may_open(uint64_t now_ns, uint64_t launches) const noexcept {
    // No window is opened while nothing is launched either: the program may be ending.
    if (is_spent() || share_ <= 0 || launches == closed_launches_ || !pace_.is_launching()) return false;
    if (may_borrow() && pace_.is_even()) return true;  // however recently a start-up had a window
    if (!is_apart(now_ns, launches)) return false;
    if (may_borrow() && !has_borrowed_ && now_ns >= kLongestWaitNs && pace_.is_busy()) return true;
    // Code is loaded and memory allocated first, which is no step.
    if (static_cast<double>(now_ns) * share_ < kFirstAllowance) return false;
    return allows_whole(now_ns, launches) || (recorded_ < kFewRecords && for_launches() >= kFirstAllowance);
  }
  // How long it takes, at the rate of launches so far, to save enough for the next window.
  uint64_t saving_ns(uint64_t now_ns, uint64_t launches) const noexcept {
    if (share_ <= 0) return kLongestNs;
    if (may_borrow() && now_ns < kWatchedNs) return 0;
    const double whole = whole_cost(now_ns, launches);
    const double needed = (recorded_ < kFewRecords ? std::min(whole, kFirstAllowance) : whole) - for_launches();
    return needed <= 0 ? 0 : static_cast<uint64_t>(std::min(needed / share_, static_cast<double>(kLongestNs)));
  }
  void open(uint64_t now_ns, uint64_t launches) noexcept {
    // A whole window may cost more than predicted, since programs launch unevenly.
    double most =
        allows_whole(now_ns, launches) ? kMostUnforeseen * std::max(for_launches(), kFirstAllowance) : for_launches();
    if (most < kFirstAllowance && may_borrow()) {
      most = kBorrowed;
      has_borrowed_ = true;
    }
    if (pace_.is_even()) was_even_ = true;
    most_records_ = std::min(static_cast<double>(kMostLaunches), std::max(0.0, most) / kLaunchCostNs);
    opened_ns_ = now_ns;
    opened_launches_ = launches;
  }

  // `records`: number of the window's records of GPU work so far.
  bool must_close(uint64_t now_ns, uint64_t launches, uint64_t records) const noexcept {
    const double began = static_cast<double>(launches - opened_launches_);
    return now_ns - opened_ns_ >= std::min(length_ns_, longest_at(opened_ns_)) ||
           std::max(began * records_each_, static_cast<double>(records)) >= most_records_;
  }
  void close(uint64_t now_ns, uint64_t launches, uint64_t records) noexcept {
    const uint64_t length = now_ns - opened_ns_, began = launches - opened_launches_;
    spend_launches(std::max(began, records));
    recorded_ += began + records;
    seen_ += records;
    closed_ns_ = now_ns;
    closed_launches_ = launches;
    closed_length_ns_ = length;
    closed_began_ = began;
    // The length of a step is not known here, so windows grow until whole steps fit into them. After one that was cut
    // short, the next is planned shorter: saving for the whole length that was planned would take half a minute.
    length_ns_ = std::clamp(2 * length, kShortestNs, kLongestNs);
    // Only records show how many kernels a graph has.
    if (began != 0) records_each_ = std::max(1.0, static_cast<double>(records) / static_cast<double>(began));
  }
  // How many launches, at the recent rate, there will be before the next window may open if CUPTI stays attached.
  uint64_t launches_ahead(uint64_t now_ns, uint64_t launches) const noexcept {
    const auto apart = static_cast<double>(closed_ns_ + kMostOften * kShortestNs) - static_cast<double>(now_ns);
    const double saving = share_ > 0 ? (whole_cost(now_ns, launches) - allowance_ns_) / share_ : 0;
    return static_cast<uint64_t>(recent_rate_ * std::max({0.0, apart, saving}));
  }
  // Adds records of work that was enqueued after the window, before CUPTI could be detached.
  void add_records(uint64_t records) noexcept {
    spend_launches(records);
    recorded_ += records;
  }
  // Subtracts other costs of a window.
  void spend(uint64_t ns) noexcept { allowance_ns_ -= static_cast<double>(ns); }
  // True if the number of records per launch is known: a graph has one for each kernel.
  bool knows_graphs() const noexcept { return seen_ != 0; }
  // The trace has reached its limit of window records.
  bool is_spent() const noexcept { return recorded_ >= kMostRecords; }

 private:
  // One launch under CUPTI, with the samples and records of a window, on an H200: 0.5 us in C++, 1 us in a plain
  // PyTorch loop, 4 us for each kernel of a JAX graph, 5 to 9 us under transformers and Lightning.
  static constexpr double kLaunchCostNs = 6000;
  static constexpr double kFirstAllowance = 8e6;  // ns, for launches
  static constexpr double kMostUnforeseen = 2;    // times the allowance
  static constexpr double kRecentNs = 5e8;        // time constant of the recent rate of launches
  static constexpr uint64_t kShortestNs = 60000000, kLongestNs = 2000000000;
  static constexpr uint64_t kMostLaunches = 200000;  // in one window
  static constexpr uint64_t kMostRecords = 4000000;  // of 64 bytes, in all windows: 256 MB of trace
  static constexpr uint64_t kMostOften = 5;          // after a window, none for five times its length
  static constexpr double kLongestShare = 0.08;      // of the time since the first launch, for one window

  // Until there are so many launches and records, windows may be shorter than they should be: a program that launches
  // faster than the budget allows for a whole window would run for seconds before its first one. This number is four
  // windows of the first allowance; the nearly empty ones of a start-up do not count.
  static constexpr uint64_t kFewRecords = 10000;
  static constexpr uint64_t kLeastSeen = 1000;  // records in windows; with fewer, no steps have been seen
  static constexpr uint64_t kFewLaunches = 10;  // a window with fewer has not seen the program at work

  // The first windows do not wait until their cost is saved: that takes more than a second, and many programs on which
  // somebody tries out the tool are shorter. They borrow, and no other window opens until that is repaid: one window as
  // soon as launches are even, and before it possibly one after a long wait for that, which may show a start-up.
  static constexpr double kBorrowed = 12e6;    // ns, for launches: two steps of llm.c, of 960 launches
  static constexpr double kLongestDebt = 5e9;  // ns until it is repaid; with a budget of 0.6 % nothing is borrowed
  static constexpr uint64_t kLongestWaitNs = 300000000;  // for even launches
  static constexpr uint64_t kWatchedNs = 5000000000;     // for so long it is checked often whether launches are even

  bool may_borrow() const noexcept {
    return !was_even_ && seen_ < kLeastSeen && attach_ns_ + kBorrowed <= kLongestDebt * share_;
  }
  double for_launches() const noexcept { return allowance_ns_ - attach_ns_; }
  void spend_launches(uint64_t launches) noexcept { allowance_ns_ -= static_cast<double>(launches) * kLaunchCostNs; }
  // At the mean rate so far, or at the recent one if that is higher, since the program may be doing something else now.
  double whole_cost(uint64_t now_ns, uint64_t launches) const noexcept {
    const double mean_rate = now_ns != 0 ? static_cast<double>(launches) / static_cast<double>(now_ns) : 0;
    const auto length = static_cast<double>(std::min(length_ns_, longest_at(now_ns)));
    return records_each_ * std::max(mean_rate, recent_rate_) * length * kLaunchCostNs;
  }
  bool allows_whole(uint64_t now_ns, uint64_t launches) const noexcept {
    return whole_cost(now_ns, launches) <= for_launches();
  }
  // True if the window before is long enough ago: in time, or in launches, which a program may make much faster than it
  // did then.
  bool is_apart(uint64_t now_ns, uint64_t launches) const noexcept {
    const uint64_t passed = now_ns - closed_ns_;
    return closed_ns_ == 0 || passed >= kMostOften * closed_length_ns_ ||
           (passed >= kMostOften * kShortestNs &&
            launches - closed_launches_ >= kMostOften * std::max(closed_began_, kFewLaunches));
  }
  static constexpr uint64_t longest_at(uint64_t now_ns) noexcept {
    return std::max(kShortestNs, static_cast<uint64_t>(static_cast<double>(now_ns) * kLongestShare));
  }

  double share_, allowance_ns_ = 0, attach_ns_ = 0, records_each_ = 1, most_records_ = kMostLaunches;
  double recent_rate_ = 0;  // launches per ns
  LaunchPace pace_;
  bool has_borrowed_ = false;  // for a window after a long wait for even launches
  bool was_even_ = false;      // launches were even when a window opened
  uint64_t now_ns_ = 0, launches_ = 0;
  uint64_t opened_ns_ = 0, opened_launches_ = 0, closed_ns_ = 0, closed_launches_ = 0, closed_length_ns_ = 0,
           closed_began_ = 0;
  uint64_t length_ns_ = kShortestNs, recorded_ = 0, seen_ = 0;
};

}  // namespace syncsniff::shim
