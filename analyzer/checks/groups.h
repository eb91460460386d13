// Numbers from 0 on that are put together in groups; each is alone at first.
#pragma once

#include <numeric>
#include <vector>

namespace syncsniff::checks {

class Groups {
 public:
  explicit Groups(size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), 0); }

  // The group's number: that of one of its members.
  int of(int member) {
    while (above_[member] != member) member = above_[member] = above_[above_[member]];
    return member;
  }
  // The group of `member` gets the number that `first`'s has.
  void join(int first, int member) { above_[of(member)] = of(first); }

 private:
  std::vector<int> above_;
};

}  // namespace syncsniff::checks
