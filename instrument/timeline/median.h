// The median; of an even number of values, the upper of the two in the middle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace syncsniff::timeline {

// Returns 0 if there are no values.
template <class T>
T median(std::vector<T> values) {
  if (values.empty()) return T{};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace syncsniff::timeline
