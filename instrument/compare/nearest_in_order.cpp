#include "instrument/compare/nearest_in_order.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace syncsniff::compare {
namespace {

constexpr size_t kMostCells = 4'000'000;
// Greater distances count as this one, so that sums stay within 64 bits.
constexpr int64_t kFarthest = int64_t{1} << 32;

int64_t distance(int64_t x, int64_t y) {
  if ((x < 0) != (y < 0)) return kFarthest;
  return std::min(kFarthest, std::abs(x - y));
}

}  // namespace

std::vector<std::pair<size_t, size_t>> nearest_in_order(const std::vector<int64_t>& from,
                                                        const std::vector<int64_t>& to) {
  const bool swapped = from.size() > to.size();
  const std::vector<int64_t>&few = swapped ? to : from, &many = swapped ? from : to;
  const size_t rows = few.size(), columns = many.size();
  std::vector<std::pair<size_t, size_t>> pairs;
  auto add = [&](size_t row, size_t column) {
    pairs.push_back(swapped ? std::pair(column, row) : std::pair(row, column));
  };
  if (rows == columns || (rows + 1) * (columns + 1) > kMostCells) {
    for (size_t i = 0; i < rows; ++i) add(i, i);
    return pairs;
  }
  // best[i][j]: least distance when the first i of the few are paired with i of the first j of the many.
  constexpr int64_t kImpossible = std::numeric_limits<int64_t>::max() / 2;
  std::vector<std::vector<int64_t>> best(rows + 1, std::vector<int64_t>(columns + 1, kImpossible));
  std::fill(best[0].begin(), best[0].end(), 0);
  for (size_t i = 1; i <= rows; ++i)
    for (size_t j = i; j <= columns; ++j)
      best[i][j] = std::min(best[i][j - 1], best[i - 1][j - 1] + distance(few[i - 1], many[j - 1]));
  for (size_t i = rows, j = columns; i > 0; --j)
    if (best[i][j] != best[i][j - 1]) add(--i, j - 1);
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace syncsniff::compare
