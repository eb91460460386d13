#include "instrument/timeline/window_replay.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "instrument/timeline/call_times.h"

namespace syncsniff::timeline {
namespace {

// The share of each owner's pieces that a fix leaves.
std::vector<double> left_of(const WindowReplay& replay, const Removed& removed) {
  const std::unordered_map<uint32_t, double> gone(removed.begin(), removed.end());
  std::vector<double> left;
  for (const auto& owners : replay.owners) {
    double rest = 1;
    for (const auto& [row, share] : owners)
      if (const auto it = gone.find(row); it != gone.end()) rest -= share * it->second;
    left.push_back(std::max(0.0, rest));
  }
  return left;
}

class WindowPlayer {
 public:
  WindowPlayer(const ReplayWindow& window, const std::vector<double>& left, const WindowReplay::Scale& scale)
      : window_(window), left_(left), scale_(scale), ends_(window.device.size(), 0) {}

  double play() {
    for (const HostPiece& piece : window_.host) play(piece);
    return std::max(host_, device_);
  }

 private:
  void play(const HostPiece& piece) {
    const double left = left_[piece.owner];
    const double length = left * scale_of(piece);
    for (uint32_t i = 0; i < piece.works; ++i) begin_work(window_.device[next_], length, piece.is_copy ? left : 1);
    host_ += piece.ns * length;
    // A copy that does not block still has to be enqueued.
    if (piece.is_copy) host_ += (1 - left) * std::min(kAsyncCallNs, piece.ns);
    if (piece.not_before_ns != kNoPace && left_[piece.pace_owner] >= 1) host_ = std::max(host_, piece.not_before_ns);
    if (left <= 0) return;
    if (piece.ends_after != kNoWork) host_ = std::max(host_, ends_[piece.ends_after] + left * piece.return_ns);
  }

  double scale_of(const HostPiece& piece) const {
    switch (piece.kind) {
      case HostKind::kLaunching:
        return scale_.launching;
      case HostKind::kWaitingForOthers:
        return scale_.waiting;
      case HostKind::kMeasured:
        return scale_.measured ? piece.outside_factor : 1;
      default:
        return scale_.other;
    }
  }

  // If one of many launches remains, it takes over the work of those that are removed: the device works as long as
  // before.
  void begin_work(const DevicePiece& work, double left, double beside) {
    const double begin = std::max(device_ + work.gap_ns, host_ + left * (work.issued_ns + work.latency_ns));
    // A copy that becomes asynchronous runs beside the kernels.
    device_ = ends_[next_++] = begin + beside * work.device_ns;
  }

  const ReplayWindow& window_;
  const std::vector<double>& left_;
  const WindowReplay::Scale scale_;
  std::vector<double> ends_;  // by index of the work
  size_t next_ = 0;
  double host_ = 0, device_ = 0;
};

}  // namespace

double WindowReplay::recorded_ns() const {
  double sum = 0;
  for (const ReplayWindow& window : windows) sum += window.recorded_ns;
  return sum;
}

double WindowReplay::play(const Removed& removed, const Scale& scale) const {
  const std::vector<double> left = left_of(*this, removed);
  double sum = 0;
  for (const ReplayWindow& window : windows) sum += WindowPlayer(window, left, scale).play();
  return sum;
}

bool WindowReplay::usable() const {
  const double recorded = recorded_ns();
  return recorded > 0 && std::fabs(play({}, {}) - recorded) <= kGoodFit * recorded;
}

}  // namespace syncsniff::timeline
