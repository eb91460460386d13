// Which operation produced a tensor, and whether the tensor is a single number, that is, the result of a full reduction
// or of operations on single numbers only.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

class TensorResults {
 public:
  explicit TensorResults(const Program& program) : program_(program) {}

  // The operation of the same function that produced the value: it wrote the tensor in place, or its result is the only
  // assignment that reaches this read of the variable. -1: unknown.
  int made_by(const Value& value, const program::Reading& at);
  bool is_number(const Value& value, const program::Reading& at, int depth = 0);
  // Whether all operands of the operation are single numbers.
  bool works_on_numbers(Site site, int depth = 0);
  std::string role(Site site) const;

 private:
  using PlaceKey = std::tuple<std::string, unsigned, unsigned>;
  bool sums_all(Site site) const;
  bool element_is_number(const Value& element, const program::Reading& at, int depth);
  bool returns_number(Site call, int depth);
  bool gives_number(int function, int depth);

  const Program& program_;
  std::map<int, std::map<PlaceKey, int>> by_place_;  // by function: its tensor operations
  std::map<int, bool> gives_number_;                 // by function
};

}  // namespace syncsniff::checks
