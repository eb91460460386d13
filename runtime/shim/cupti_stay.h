// What CUPTI costs between windows, for as long as it is in the process: each launch takes longer, recorded or not.
// Pure: the caller says how many launches there were.
#pragma once

#include <cstdint>

namespace syncsniff::shim {

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
