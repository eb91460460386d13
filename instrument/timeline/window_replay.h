// What-if replay of the windows: the host's time, piece by piece, is played again against the device's work, without
// some rows of the report. docs/how-the-numbers-are-made.md says what it assumes. Pure: knows nothing of traces. Times
// are ns.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace syncsniff::timeline {

inline constexpr uint32_t kNoWork = UINT32_MAX;
inline constexpr double kNoPace = -1;

// What the device did for one launch.
struct DevicePiece {
  double issued_ns = 0;   // from the begin of the host's piece that launched it
  double device_ns = 0;   // of it, what no earlier work of the device covers
  double latency_ns = 0;  // from the launch until it begins on an idle device
  double gap_ns = 0;      // from the end of the work before, although it had been launched: it depended on something
};

// Measured: its time outside of windows is known by itself.
enum class HostKind : uint8_t { kLaunching, kWaitingForOthers, kMeasured, kOther };

struct HostPiece {
  double ns = 0;  // of a wait for the device: what it takes where the device is done
  HostKind kind = HostKind::kOther;
  double outside_factor = 1;      // measured: its time outside of windows by this one
  bool is_copy = false;           // the host is blocked while the device copies
  uint32_t owner = 0;             // index into WindowReplay::owners
  uint32_t works = 0;             // that it launched: the next ones of the window
  uint32_t ends_after = kNoWork;  // ends so long after this work of the window has ended, at the earliest
  double return_ns = 0;
  // Another thread or process sets the pace: unless the time of this owner is gone, it ends no earlier, from the
  // window's begin.
  double not_before_ns = kNoPace;
  uint32_t pace_owner = 0;
};

struct ReplayWindow {
  double recorded_ns = 0;
  std::vector<HostPiece> host;
  std::vector<DevicePiece> device;  // in the order of their pieces
};

// Parts of the host's time that a fix removes: by a row's number, how much of it, 0 to 1.
using Removed = std::vector<std::pair<uint32_t, double>>;

struct WindowReplay {
  std::vector<ReplayWindow> windows;
  // Whose time a piece is: the row's number and its share of the piece.
  std::vector<std::vector<std::pair<uint32_t, double>>> owners;

  // How much longer recording made the host's pieces: by these factors they are as long as outside of windows.
  struct Scale {
    double launching = 1, waiting = 1, other = 1;
    bool measured = false;  // pieces that were measured by their own factor
  };
  double recorded_ns() const;
  double play(const Removed& removed, const Scale& scale) const;  // all windows
  bool usable() const;  // played with nothing changed, it takes the recorded time within a tenth
};

}  // namespace syncsniff::timeline
