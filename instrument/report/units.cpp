#include "instrument/report/units.h"

#include <cmath>
#include <cstdio>
#include <iterator>

namespace syncsniff::report {
namespace {

std::string printed(const char* format, double value, const char* unit = "") {
  return format_number(format, value) + unit;
}

// Three significant digits; the limits are where rounding would add a digit.
std::string scaled(double value, const char* unit) {
  return printed(value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value, unit);
}

}  // namespace

std::string format_number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string format_time(uint64_t ns) {
  const auto value = static_cast<double>(ns);
  if (ns == 0) return "0";
  if (ns < 1000) return printed("%.0f", value, " ns");
  if (value < 999.5e3) return scaled(value / 1e3, " us");
  if (value < 999.5e6) return scaled(value / 1e6, " ms");
  return scaled(value / 1e9, " s");
}

std::string format_count(double count) {
  if (count >= 99.95 || std::fabs(count - std::round(count)) < 0.05) {
    std::string digits = printed("%.0f", count);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
      digits.insert(static_cast<size_t>(at), 1, ',');
    return digits;
  }
  return printed(count < 0.1 ? "%.2f" : "%.1f", count);
}

std::string format_bytes(double bytes) {
  if (bytes < 1e3) return format_count(bytes) + " B";
  if (bytes < 999.5e3) return printed("%.3g", bytes / 1e3, " kB");
  if (bytes < 999.5e6) return printed("%.3g", bytes / 1e6, " MB");
  return printed("%.3g", bytes / 1e9, " GB");
}

std::string format_flops(double flops) {
  static constexpr const char* kUnits[] = {" FLOP", " kFLOP", " MFLOP", " GFLOP", " TFLOP"};
  size_t unit = 0;
  for (; unit + 1 < std::size(kUnits) && flops >= 999.5; ++unit) flops /= 1000;
  return (flops >= 999.5 ? format_count(flops) : printed("%.3g", flops)) + kUnits[unit];
}

std::string format_share(uint64_t part, uint64_t whole) {
  if (whole == 0) return "";
  return printed("%.1f", 100.0 * static_cast<double>(part) / static_cast<double>(whole), " %");
}

}  // namespace syncsniff::report
