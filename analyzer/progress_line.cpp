#include "analyzer/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "rules/untrusted_text.h"

namespace syncsniff {
namespace {

constexpr auto kSilentAtFirst = std::chrono::milliseconds(300);
constexpr auto kBetween = std::chrono::milliseconds(200);
constexpr const char* kClearLine = "\r\x1b[K";
constexpr size_t kUsualColumns = 80;

size_t columns_of_terminal(int terminal) {
  winsize size{};
  return ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualColumns;
}

// If the terminal is gone or full, no progress is shown; nothing else depends on it.
void put(int terminal, const std::string& text) {
  if (write(terminal, text.data(), text.size()) < 0) return;
}

std::string duration_text(double seconds) {
  if (seconds < 90) return std::to_string(std::max(1L, std::lround(seconds))) + " s";
  return std::to_string(std::lround(seconds / 60)) + " min";
}

}  // namespace

bool ProgressLine::is_due() const {
  if (terminal_ < 0) return false;
  const auto now = Clock::now();
  return now - began_ >= kSilentAtFirst && (!shown_ || now - *shown_ >= kBetween);
}

void ProgressLine::show(const std::string& what, const std::string& path) {
  if (!is_due()) return;
  // The last column stays free: a terminal may begin a new line after a character there.
  put(terminal_, kClearLine + fit_line(what, path, columns_of_terminal(terminal_) - 1));
  shown_ = Clock::now();
  visible_ = true;
}

void ProgressLine::clear() {
  if (visible_) put(terminal_, kClearLine);
  visible_ = false;
}

std::string units_line(size_t done, size_t all, size_t parsed, size_t left, std::chrono::duration<double> elapsed) {
  std::string text = std::to_string(done) + " of " + std::to_string(all) + (all == 1 ? " unit" : " units");
  if (parsed > 0 && left > 0)
    text +=
        ", about " + duration_text(elapsed.count() / static_cast<double>(parsed) * static_cast<double>(left)) + " left";
  return text;
}

std::string fit_line(const std::string& what, const std::string& path, size_t columns) {
  std::string line = printable(what);
  if (columns_of(line) > columns) return std::string(head_of(line, columns));
  const std::string shown = printable(path);
  constexpr size_t kGap = 2, kDots = 3, kLeast = 8;
  const size_t used = columns_of(line) + kGap;
  if (shown.empty() || used + kLeast > columns) return line;
  const size_t room = columns - used;
  line.append(kGap, ' ');
  return line + (columns_of(shown) <= room ? shown : "..." + std::string(tail_of(shown, room - kDots)));
}

}  // namespace syncsniff
