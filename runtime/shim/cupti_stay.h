// What CUPTI costs beside windows: its coming, its leaving, and between the two each launch, which takes longer,
// recorded or not. Pure: the caller says how many launches there were, and how long it took.
#pragma once

#include <algorithm>
#include <cstdint>

namespace syncsniff::shim {

// Its coming before the next window, with its leaving after it.
class CuptiComing {
 public:
  uint64_t coming_ns() const noexcept { return coming_ns_; }
  uint64_t all_ns(bool graphs) const noexcept { return coming_ns_ + leaving_ns_ + lost_by(graphs); }
  // A single leaving that waited for a graph call of half a second is charged; the next one is not expected to be like
  // it.
  void has_left(uint64_t ns) noexcept { leaving_ns_ = (leaving_ns_ + std::min(ns, kMostOfLeavingNs)) / 2; }
  // It has come, in `ns`. Returns what that cost. The first coming may lie in a start-up, where it waits for the
  // program to load code as well as the other way round (17 to 310 ms): that is not all lost, and no later one is like
  // it.
  uint64_t has_come(uint64_t ns, bool graphs) noexcept {
    if (is_first_)
      ns = std::min(ns, kMostOfFirstNs);
    else
      coming_ns_ = ns;
    is_first_ = false;
    return ns + lost_by(graphs);
  }

 private:
  static constexpr uint64_t kComingNs = 15000000, kLeavingNs = 3000000;  // 11 to 18, 2 to 4 ms (H100)
  static constexpr uint64_t kMostOfFirstNs = 50000000, kMostOfLeavingNs = 100000000;
  // The first launches of graphs after it has come take 3 ms instead of 0.7 (JAX, H100).
  static constexpr uint64_t kLostToGraphsNs = 8000000;
  static constexpr uint64_t lost_by(bool graphs) noexcept { return graphs ? kLostToGraphsNs : 0; }
  uint64_t coming_ns_ = kComingNs, leaving_ns_ = kLeavingNs;
  bool is_first_ = true;
};

class CuptiStay {
 public:
  // A window has ended, and CUPTI has not left yet.
  void begin(uint64_t launches) noexcept { begin_launches_ = charged_launches_ = launches; }
  // What the launches since then have lost; with launches that are still to come, what it costs to let CUPTI stay.
  uint64_t lost_ns(uint64_t launches) const noexcept { return (launches - begin_launches_) * kLostPerLaunchNs; }
  // The part of it that was not charged before: where CUPTI cannot leave at the first try, each try charges its own.
  uint64_t charge_ns(uint64_t launches) noexcept {
    const uint64_t ns = (launches - charged_launches_) * kLostPerLaunchNs;
    charged_launches_ = launches;
    return ns;
  }

 private:
  // A PyTorch trainer that its launches bound, 197 launches in a step of 4.4 ms, loses 2 to 4 us a launch (H100);
  // llm.c, 960 launches in a step of 4.7 ms, loses 0.35 us (H200). The larger one: with the smaller, CUPTI stayed in
  // the trainer for a second after each window and cost it 14 % of that.
  static constexpr uint64_t kLostPerLaunchNs = 3000;
  uint64_t begin_launches_ = 0, charged_launches_ = 0;
};

}  // namespace syncsniff::shim
