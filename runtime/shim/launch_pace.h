// Whether the program launches, and whether it does so evenly, as training steps do; loading code, allocating and
// initialising are uneven. Works on plain numbers: the caller passes times and numbers of launches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace syncsniff::shim {

class LaunchPace {
 public:
  // Updates the rates. now_ns: time since the first launch; launches: their number so far.
  void pass(uint64_t now_ns, uint64_t launches) noexcept {
    begun_ = launches - launches_;
    launches_ = launches;
    if (now_ns - slice_ns_ < kSliceNs) return;
    rates_[next_++ % kSlices] =
        static_cast<double>(launches - slice_launches_) / static_cast<double>(now_ns - slice_ns_);
    slice_ns_ = now_ns;
    slice_launches_ = launches;
  }
  // True if something was launched between the last two calls of pass().
  bool is_launching() const noexcept { return begun_ != 0; }
  // True if there were several launches in the last slice. A start-up that compiles launches only now and then.
  bool is_busy() const noexcept { return next_ != 0 && rates_[(next_ - 1) % kSlices] * kSliceNs >= 2; }
  // True if each of the last slices has at least kFullSlice launches, and none twice as many as another.
  bool is_even() const noexcept {
    if (next_ < kSlices) return false;
    const auto [least, most] = std::minmax_element(rates_, rates_ + kSlices);
    return *least * kSliceNs >= kFullSlice && *most < 2 * *least;
  }

 private:
  static constexpr uint64_t kSliceNs = 40000000;
  static constexpr size_t kSlices = 3;
  static constexpr double kFullSlice = 20;  // launches
  double rates_[kSlices] = {};              // launches per ns
  size_t next_ = 0;
  uint64_t launches_ = 0, begun_ = 0, slice_ns_ = 0, slice_launches_ = 0;
};

}  // namespace syncsniff::shim
