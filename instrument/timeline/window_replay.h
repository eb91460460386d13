// What-if replay of the windows: plays the host's time, piece by piece, against the device's work, without some rows of
// the report. docs/how-the-numbers-are-made.md states its assumptions. Works on plain data and does not know traces.
// Times are ns.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace syncsniff::timeline {

inline constexpr uint32_t kNoWork = UINT32_MAX;
inline constexpr double kNoPace = -1;

// What the device did for one launch.
struct DevicePiece {
  double issued_ns = 0;   // from the begin of the host piece that launched it
  double device_ns = 0;   // part of its time that no earlier work covers
  double latency_ns = 0;  // from the launch until it begins on an idle device
  double gap_ns = 0;      // from the end of the work before, if it was launched by then: it depended on something else
};

// kMeasured: its time outside of windows is known separately.
enum class HostKind : uint8_t { kLaunching, kWaitingForOthers, kMeasured, kOther };

struct HostPiece {
  double ns = 0;  // for a wait for the device: what it takes if the device is done
  HostKind kind = HostKind::kOther;
  double outside_factor = 1;      // for kMeasured: time outside of windows / time in windows
  bool is_copy = false;           // the host is blocked while the device copies
  uint32_t owner = 0;             // index into WindowReplay::owners
  uint32_t works = 0;             // number of works that it launched: the window's next ones
  uint32_t ends_after = kNoWork;  // the piece ends return_ns after the end of this work of the window, at the earliest
  double return_ns = 0;
  // Set if another thread or process sets the pace: the piece ends no earlier than this, in ns from the window's begin,
  // unless time of pace_owner is removed.
  double not_before_ns = kNoPace;
  uint32_t pace_owner = 0;
};

struct ReplayWindow {
  double recorded_ns = 0;
  std::vector<HostPiece> host;
  std::vector<DevicePiece> device;  // in the order of the host pieces that launched them
};

// Parts of the host's time that a fix removes: a row's number, and the share removed, 0 to 1.
using Removed = std::vector<std::pair<uint32_t, double>>;

struct WindowReplay {
  std::vector<ReplayWindow> windows;
  // Sets of owners; each owner is a row's number and its share of the piece.
  std::vector<std::vector<std::pair<uint32_t, double>>> owners;

  // Factors that convert the length of the host's pieces in windows to that outside of windows.
  struct Scale {
    double launching = 1, waiting = 1, other = 1;
    bool measured = false;  // scale kMeasured pieces by their own outside_factor
  };
  double recorded_ns() const;
  double play(const Removed& removed, const Scale& scale) const;  // total of all windows, ns
  bool usable() const;  // played unchanged, it takes the recorded time within a tenth
};

}  // namespace syncsniff::timeline
