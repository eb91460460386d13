// Whether the program launches, and whether it does so evenly, as steps of training do: loading code, allocating and
// initialising do not. Pure: the caller says when how many launches there were.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace syncsniff::shim {

class LaunchPace {
 public:
  // Time goes by: ns since the first launch, launches so far.
  void pass(uint64_t now_ns, uint64_t launches) noexcept {
    begun_ = launches - launches_;
    launches_ = launches;
    if (now_ns - slice_ns_ < kSliceNs) return;
    rates_[next_++ % kSlices] =
        static_cast<double>(launches - slice_launches_) / static_cast<double>(now_ns - slice_ns_);
    slice_ns_ = now_ns;
    slice_launches_ = launches;
  }
  // Something was launched since the time before.
  bool is_launching() const noexcept { return begun_ != 0; }
  // Several launches in the last slice: a start-up that compiles launches now and then.
  bool is_busy() const noexcept { return next_ != 0 && rates_[(next_ - 1) % kSlices] * kSliceNs >= 2; }
  // The last slices are full ones, none with twice as many launches as another.
  bool is_even() const noexcept {
    if (next_ < kSlices) return false;
    const auto [least, most] = std::minmax_element(rates_, rates_ + kSlices);
    return *least * kSliceNs >= kFullSlice && *most < 2 * *least;
  }

 private:
  static constexpr uint64_t kSliceNs = 40000000;
  static constexpr size_t kSlices = 3;
  static constexpr double kFullSlice = 20;  // launches
  double rates_[kSlices] = {};              // launches a ns
  size_t next_ = 0;
  uint64_t launches_ = 0, begun_ = 0, slice_ns_ = 0, slice_launches_ = 0;
};

}  // namespace syncsniff::shim
