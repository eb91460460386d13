// One line on a terminal that shows the progress of a run. It is rewritten in place, and erased before anything else is
// printed.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace syncsniff {

class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  // Writes to `terminal`, a file descriptor; -1: nowhere.
  explicit ProgressLine(int terminal) : terminal_(terminal) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  // Whether `show` would write now: not at the very start, since most runs are over by then, and at most a few times a
  // second.
  bool is_due() const;
  // Shows `what`, and as much of the end of `path` as the terminal has room for.
  void show(const std::string& what, const std::string& path = {});
  void clear();

 private:
  const int terminal_;
  const Clock::time_point began_ = Clock::now();
  std::optional<Clock::time_point> shown_;
  bool visible_ = false;
};

// "3 of 40 units, about 12 s left". `parsed` units took `elapsed` to parse, and `left` units are still to be parsed.
std::string units_line(size_t done, size_t all, size_t parsed, size_t left, std::chrono::duration<double> elapsed);

// `what`, blanks and `path` in at most `columns` columns, without control characters; the beginning of the path is cut
// off.
std::string fit_line(const std::string& what, const std::string& path, size_t columns);

}  // namespace syncsniff
