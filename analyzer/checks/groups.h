// Disjoint sets (union-find) of the numbers from 0 on; each number begins as a set of its own.
#pragma once

#include <numeric>
#include <vector>

namespace syncsniff::checks {

class Groups {
 public:
  explicit Groups(size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), 0); }

  // The number that identifies the member's group: one of its members.
  int of(int member) {
    while (above_[member] != member) member = above_[member] = above_[above_[member]];
    return member;
  }
  // Merges the two groups; the result is identified by the number of `first`'s group.
  void join(int first, int member) { above_[of(member)] = of(first); }

 private:
  std::vector<int> above_;
};

}  // namespace syncsniff::checks
