#include "analyzer/output/display.h"

#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

constexpr unsigned kTabStop = 8;

}  // namespace

std::vector<Cell> to_cells(std::string_view line) {
  std::vector<Cell> cells;
  unsigned column = 0;
  for (size_t at = 0; at < line.size();) {
    Printable next = printable_at(line, at);
    Cell cell{at, std::move(next.shown), static_cast<unsigned>(next.columns)};
    if (line[at] == '\t') {
      cell.width = kTabStop - column % kTabStop;
      cell.shown.assign(cell.width, ' ');
    }
    at += next.bytes;
    column += cell.width;
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace syncsniff::output
