// Which operation produced a tensor, and whether the tensor is a single number: the result of a full reduction, or
// computed only from single numbers.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

class TensorResults {
 public:
  explicit TensorResults(const Program& program) : program_(program) {}

  // The operation of the same function that produced the value: written in place, or assigned to the variable by the
  // only assignment that reaches the reading; -1: unknown.
  int made_by(const Value& value, const program::Reading& at);
  bool is_number(const Value& value, const program::Reading& at, int depth = 0);
  // The operation works on numbers alone.
  bool works_on_numbers(Site site, int depth = 0);
  std::string role(Site site) const;

 private:
  using PlaceKey = std::tuple<std::string, unsigned, unsigned>;
  bool sums_all(Site site) const;
  bool element_is_number(const Value& element, const program::Reading& at, int depth);
  bool returns_number(Site call, int depth);
  bool gives_number(int function, int depth);

  const Program& program_;
  std::map<int, std::map<PlaceKey, int>> by_place_;  // of a function: its tensor operations
  std::map<int, bool> gives_number_;                 // of a function
};

}  // namespace syncsniff::checks
