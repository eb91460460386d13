#include "instrument/report/spelling.h"
#include "instrument/report/terminal_parts.h"
#include "instrument/report/units.h"

namespace syncsniff::report {
namespace {

using timeline::SentAgain;
using timeline::SentLine;

constexpr size_t kMaxLines = 5, kIndent = 4;

std::string memory_text(uint8_t kinds) {
  const bool pinned = (kinds & (1u << static_cast<unsigned>(trace::HostMemory::kPinned))) != 0;
  const bool pageable = (kinds & (1u << static_cast<unsigned>(trace::HostMemory::kPageable))) != 0;
  return pinned == pageable ? "" : pinned ? " from pinned memory" : " from pageable memory";
}

std::string line_text(const SentLine& line, const SentAgain& all) {
  const double per = all.steps > 0 ? all.steps : 1;
  std::string text = place_and_function(line.place);
  if (!line.inner.file.empty()) text += " (in " + place_and_function(line.inner) + ")";
  text += ", " + user_spelling(line.api) + memory_text(line.host_memory) + ": ";
  text += format_bytes(static_cast<double>(line.again_bytes) / per);
  if (line.again_bytes != line.bytes) text += " of " + format_bytes(static_cast<double>(line.bytes) / per);
  text += all.steps > 0 ? " a step" : " in windows of " + format_time(all.span_ns);
  text += ", " + format_time(static_cast<uint64_t>(static_cast<double>(line.again_ns) / per + 0.5)) +
          " of the host's time: keep ";
  text += line.again_contents == 1
              ? "it"
              : "them (" + format_count(static_cast<double>(line.again_contents)) + " different ones)";
  return text + " on the device, which takes " + format_bytes(static_cast<double>(line.contents_bytes)) +
         " there, and send only what changes";
}

}  // namespace

void write_sent_again(const SentAgain& all, const Style& style, std::ostream& out) {
  size_t shown = 0;
  for (const SentLine& line : all.lines) {
    if (!is_worth_telling(line, all) || shown == kMaxLines) continue;
    if (shown++ == 0)
      out << '\n' << style(Colour::kBold, "Sent to the GPU again unchanged, judging by samples of the bytes:") << '\n';
    for (const std::string& row : wrap(line_text(line, all), kIndent, kReportWidth)) out << row << '\n';
  }
}

}  // namespace syncsniff::report
