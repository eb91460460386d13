// Fingerprints: by what a later run, a baseline or a report of another tool recognises a finding. They contain neither
// line numbers nor names of files.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rules/finding.h"

namespace syncsniff::checks {

class FindingIdentities {
 public:
  // The next finding, whose `fingerprint` is the text of its rule, function and event: replaces it by a hash. `call`:
  // the identity of the hot call, empty if there is none, which ends with "|" and its number among the calls with the
  // same text; `calls`: of each call on the path.
  void add(Finding& finding, const std::string& call, const std::vector<std::string>& calls);
  // Finding `index`, as they were added, also stands for a call in this column of its line.
  void cover(size_t index, unsigned column) { lines_[index].columns.insert(column); }
  // `findings`: all that were added, in this order.
  void finish(std::vector<Finding>& findings) const;

 private:
  // What a finding's fingerprint is made from, and the columns of the calls on its line that it covers.
  struct OnOneLine {
    std::string identity;
    std::set<unsigned> columns;
    std::string same_text;          // the identity without the numbers of places and calls that have the same text
    std::array<size_t, 3> numbers;  // these numbers: of the place, of the call, of the finding
  };
  static void count_calls(const OnOneLine& line, Finding& finding);
  void number_copies(std::vector<Finding>& findings) const;

  std::vector<OnOneLine> lines_;                                                      // one for each finding
  std::map<std::string, std::map<std::pair<std::string, unsigned>, size_t>> places_;  // by text: its files and lines
  std::map<std::string, size_t> alike_;
};

}  // namespace syncsniff::checks
