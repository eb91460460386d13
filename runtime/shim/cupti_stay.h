// What CUPTI costs outside of windows: attaching it, detaching it, and the delay of each launch while it is attached,
// whether it records or not. Works on plain numbers: the caller counts launches and measures times.
#pragma once

#include <algorithm>
#include <cstdint>

namespace syncsniff::shim {

// Estimates the cost of attaching CUPTI before the next window and detaching it afterwards.
class AttachCost {
 public:
  uint64_t attach_ns() const noexcept { return attach_ns_; }
  uint64_t total_ns(bool graphs) const noexcept { return attach_ns_ + detach_ns_ + lost_by(graphs); }
  // CUPTI was detached in `ns`. If that waited for a graph call of half a second, it is charged to the budget, but the
  // next detaching is not expected to take as long.
  void detached(uint64_t ns) noexcept { detach_ns_ = (detach_ns_ + std::min(ns, kMostOfDetachNs)) / 2; }
  // CUPTI was attached in `ns`. Returns the cost. The first attaching may happen in a start-up, where it waits for the
  // program to load code and vice versa (17 to 310 ms): not all of that is lost, and no later one takes as long.
  uint64_t attached(uint64_t ns, bool graphs) noexcept {
    if (is_first_)
      ns = std::min(ns, kMostOfFirstNs);
    else
      attach_ns_ = ns;
    is_first_ = false;
    return ns + lost_by(graphs);
  }

 private:
  static constexpr uint64_t kAttachNs = 15000000, kDetachNs = 3000000;  // 11 to 18, 2 to 4 ms (H100)
  static constexpr uint64_t kMostOfFirstNs = 50000000, kMostOfDetachNs = 100000000;
  // The first launches of graphs after attaching take 3 ms instead of 0.7 (JAX, H100).
  static constexpr uint64_t kLostToGraphsNs = 8000000;
  static constexpr uint64_t lost_by(bool graphs) noexcept { return graphs ? kLostToGraphsNs : 0; }
  uint64_t attach_ns_ = kAttachNs, detach_ns_ = kDetachNs;
  bool is_first_ = true;
};

class AttachedCost {
 public:
  // A window has ended, and CUPTI is still attached.
  void begin(uint64_t launches) noexcept { begin_launches_ = charged_launches_ = launches; }
  // Time that launches since then have lost. With `launches` including launches to come, the cost of keeping CUPTI
  // attached.
  uint64_t lost_ns(uint64_t launches) const noexcept { return (launches - begin_launches_) * kLostPerLaunchNs; }
  // The part of it that was not charged before: if CUPTI cannot be detached at the first try, each try charges its own
  // part.
  uint64_t charge_ns(uint64_t launches) noexcept {
    const uint64_t ns = (launches - charged_launches_) * kLostPerLaunchNs;
    charged_launches_ = launches;
    return ns;
  }

 private:
  // A PyTorch trainer that is bound by its launches, 197 in a step of 4.4 ms, loses 2 to 4 us a launch (H100); llm.c,
  // 960 launches in a step of 4.7 ms, loses 0.35 us (H200). The larger value is used: with the smaller one, CUPTI
  // stayed attached to the trainer for a second after each window and cost it 14 % of that time.
  static constexpr uint64_t kLostPerLaunchNs = 3000;
  uint64_t begin_launches_ = 0, charged_launches_ = 0;
};

}  // namespace syncsniff::shim
