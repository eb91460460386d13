#include "analyzer/output/snippet.h"

#include <algorithm>

namespace syncsniff::output {
namespace {

constexpr unsigned kMaxColumns = 160;  // of source text; generated files may have lines of megabytes
constexpr unsigned kLeadColumns = 40;  // columns shown before the caret if the line is cut

std::string gutter(const std::string& number) {
  return std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + " | ";
}

// Byte columns [first, last) to underline, counted from 0.
std::pair<size_t, size_t> underlined(std::string_view line, const Location& location) {
  size_t first = std::min<size_t>(location.column > 0 ? location.column - 1 : 0, line.size());
  bool same_line = location.end_line == location.line && location.end_column > location.column;
  size_t last = same_line ? location.end_column - 1 : location.end_line > location.line ? line.size() : first + 1;
  last = std::min(last, line.size());
  while (last > first + 1 && (line[last - 1] == ' ' || line[last - 1] == '\t')) --last;
  return {first, last};
}

// Removes cells until the caret is near the left edge and the rest fits; marks the cut with "...".
void cut(std::vector<Cell>& cells, size_t caret_offset) {
  unsigned total = 0, before_caret = 0;
  for (const Cell& cell : cells) {
    total += cell.width;
    if (cell.offset < caret_offset) before_caret += cell.width;
  }
  if (total <= kMaxColumns) return;
  unsigned drop = before_caret + kLeadColumns > kMaxColumns ? before_caret - kLeadColumns : 0;
  auto first = cells.begin();
  for (unsigned dropped = 0; dropped < drop; ++first) dropped += first->width;
  bool cut_front = first != cells.begin();
  auto last = first;
  for (unsigned kept = 0; last != cells.end() && kept + last->width <= kMaxColumns; ++last) kept += last->width;
  bool cut_back = last != cells.end();
  std::vector<Cell> kept(first, last);
  if (cut_front) kept.insert(kept.begin(), {kept.empty() ? 0 : kept.front().offset, "...", 3});
  if (cut_back) kept.push_back({std::string::npos, "...", 3});
  cells = std::move(kept);
}

std::string caret_line(const std::vector<Cell>& cells, size_t first, size_t last) {
  std::string marks;
  bool placed = false;
  for (const Cell& cell : cells) {
    bool dots = cell.shown == "..." && cell.width == 3;
    if (dots || cell.offset < first)
      marks.append(cell.width, ' ');
    else if (!placed && cell.width > 0)
      marks += '^' + std::string(cell.width - 1, cell.offset + 1 < last ? '~' : ' '), placed = true;
    else if (cell.offset < last)
      marks.append(cell.width, '~');
  }
  if (!placed) marks += '^';
  while (!marks.empty() && marks.back() == ' ') marks.pop_back();
  return marks;
}

}  // namespace

std::string snippet(const SourceText& source, const Location& location, bool with_caret, const Colours& colours) {
  if (location.line == 0 || location.line > source.line_count()) return "";
  std::string_view line = source.line(location.line);
  auto [first, last] = underlined(line, location);
  std::vector<Cell> cells = to_cells(line);
  cut(cells, first);
  std::string text;
  for (const Cell& cell : cells) text += cell.shown;
  while (!text.empty() && text.back() == ' ') text.pop_back();
  std::string result = gutter(std::to_string(location.line)) + text + "\n";
  if (!with_caret) return result;
  return result + gutter("") + colours.caret(caret_line(cells, first, last)) + "\n";
}

}  // namespace syncsniff::output
