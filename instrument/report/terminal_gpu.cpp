#include <algorithm>
#include <numeric>

#include "instrument/report/spelling.h"
#include "instrument/report/terminal_parts.h"
#include "instrument/report/units.h"

namespace syncsniff::report {
namespace {

constexpr size_t kMaxLines = 8, kTimeWidth = 9, kShareWidth = 8, kCauseWidth = 15;
constexpr size_t kWhereWidth = kReportWidth - 4 - kTimeWidth - kShareWidth - 2 - kCauseWidth;

std::string where_text(const timeline::IdleLine& line) {
  std::string where = place_text(line.place);
  if (!line.before.file.empty()) where = "between " + place_text(line.before) + " and " + where;
  return line.api.empty() ? where : where + "  " + user_spelling(line.api);
}

}  // namespace

void write_gpu(const timeline::DeviceTimeline& device, const Style& style, std::ostream& out) {
  auto row = [&](uint64_t ns, const std::string& text) {
    out << "    " << pad_left(format_time(ns), kTimeWidth) << pad_left(format_share(ns, device.idle_ns), kShareWidth)
        << "  " << text << '\n';
  };
  out << '\n'
      << style(Colour::kBold, "GPU " + std::to_string(device.device)) << ": busy " << format_time(device.busy_ns)
      << " (" << format_share(device.busy_ns, device.span.length()) << "), idle " << format_time(device.idle_ns) << "; "
      << format_count(static_cast<double>(device.kernels)) << " kernels, "
      << format_count(static_cast<double>(device.copies)) << " copies\n";
  if (device.idle_ns == 0) return;
  std::vector<size_t> causes(timeline::kIdleCauses);
  std::iota(causes.begin(), causes.end(), size_t{0});
  std::stable_sort(causes.begin(), causes.end(),
                   [&](size_t a, size_t b) { return device.idle_by_cause[a] > device.idle_by_cause[b]; });
  out << style(Colour::kBold, "  idle by cause") << '\n';
  for (size_t cause : causes)
    if (device.idle_by_cause[cause] != 0)
      row(device.idle_by_cause[cause], to_string(static_cast<timeline::IdleCause>(cause)));
  out << style(Colour::kBold, "  idle by line") << '\n';
  // Start-up is paid once: it has its cause above, and its lines would push those of the steps off the list.
  uint64_t rest = device.idle_ns;
  size_t shown = 0;
  for (const timeline::IdleLine& line : device.lines) {
    if (shown == kMaxLines) break;
    if (line.cause == timeline::IdleCause::kEndEffects) continue;
    row(line.idle_ns, pad_right(to_string(line.cause), kCauseWidth) + keep_head(where_text(line), kWhereWidth));
    rest -= line.idle_ns;
    ++shown;
  }
  const bool ends = device.idle_by_cause[static_cast<size_t>(timeline::IdleCause::kEndEffects)] != 0;
  if (rest != 0)
    row(rest,
        std::to_string(device.lines.size() - shown) + (ends ? " more, those of the end effects among them" : " more"));
}

}  // namespace syncsniff::report
