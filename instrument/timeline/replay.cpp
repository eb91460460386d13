#include "instrument/timeline/replay.h"

#include <algorithm>
#include <cmath>

#include "instrument/timeline/call_times.h"

namespace syncsniff::timeline {
namespace {

constexpr double kKernelFloorNs = 2000;  // start of one dependent small kernel to the next, H200: 1.8 us and its gap

class RunPlayer {
 public:
  explicit RunPlayer(const WhatIf& change) : change_(change) {
    for (uint32_t strand : change.mended) {
      if (strand >= mended_.size()) mended_.resize(strand + 1);
      mended_[strand] = true;
    }
  }

  void play(const HostItem& item) {
    if (item.first_of_step) to_merge_ = change_.merged;
    host_ += item.gap_ns;
    const bool mended = item.strand < mended_.size() && mended_[item.strand];
    switch (item.act) {
      case HostAct::kEnqueue:
        enqueue(item);
        break;
      case HostAct::kWait:
        if (!mended) host_ = std::max(host_ + item.host_ns, device_ + item.latency_ns);
        break;
      case HostAct::kCopy:
        if (mended) {
          host_ += std::min(kAsyncCallNs, item.host_ns + item.device_ns);
        } else {
          host_ = std::max(host_ + item.host_ns, device_) + item.device_ns;
          device_ = host_;
        }
        break;
      case HostAct::kHost:
        if (!mended) host_ += item.host_ns;
        break;
    }
  }
  double end() const { return std::max(host_, device_); }

 private:
  // Operations are taken as equal and evenly issued: the device ends after all of them, and not before the last was
  // issued.
  void enqueue(const HostItem& item) {
    double host = item.host_ns, device = item.device_ns, operations = item.operations;
    merge(operations, host, device);
    const double begin = host_;
    host_ += host;
    device_ = std::max(std::max(device_, begin) + device, host_ + device / std::max(1.0, operations));
  }

  // The first bursts of a step that are large enough lose the launches that are merged into one.
  void merge(double& operations, double& host, double& device) {
    for (MergedLaunches& loop : to_merge_) {
      const double taken = std::min(loop.launches, operations);
      if (taken < 2 || loop.left >= loop.launches) continue;
      const double share = taken / loop.launches;
      const double gone = share * (loop.launches - loop.left);
      host -= std::min(host, share * loop.host_ns * gone / taken);
      device -= std::min(kKernelFloorNs, device / operations) * gone;
      operations -= gone;
      loop.host_ns *= 1 - share;
      loop.left *= 1 - share;
      loop.launches -= taken;
    }
  }

  const WhatIf& change_;
  std::vector<bool> mended_;  // by strand
  std::vector<MergedLaunches> to_merge_;
  double host_ = 0, device_ = 0;
};

}  // namespace

double play(const std::vector<HostItem>& items, const WhatIf& change) {
  RunPlayer player(change);
  for (const HostItem& item : items) player.play(item);
  return player.end();
}

bool Replay::usable() const { return !items.empty() && recorded_ns > 0 && std::fabs(error()) <= kGoodFit; }

double Replay::error() const { return recorded_ns > 0 ? (base_ns - recorded_ns) / recorded_ns : 0; }

double Replay::saving_ns(const WhatIf& change) const {
  return steps == 0 ? 0 : std::max(0.0, base_ns - play(items, change)) / static_cast<double>(steps);
}

}  // namespace syncsniff::timeline
