// How often a place runs, compared with the steps of the loop that feeds the GPU, and why the tool takes it to be so.
// All that lowers or withholds a finding for being rare goes through Rate, so that each finding, and each that was
// withheld, can give its reasons.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "rules/finding.h"

namespace syncsniff::frequency {

// What a reason rests on. Structure is what the code does; a name is weak, and lowers by one step at most.
enum class Evidence : uint8_t { kStructure, kName };

struct Reason {
  Evidence evidence = Evidence::kStructure;
  std::string what;                 // "one iteration in 100 runs it"
  facts::Place place;               // what tells so: the condition, the loop, the function
  Severity most = Severity::kInfo;  // it lowered a finding to this; kInfo: it withheld it
};

struct Rate {
  Severity severity = Severity::kHigh;
  bool dropped = false;  // what happens here is none of a step's: an error path, a constant false, set-up

  void cap(Severity most, const char* what, const facts::Place& place);
  void drop(const char* what, const facts::Place& place);
  // One step, once, whatever the number of names: `because` is what the word stands for.
  void lower_by_name(const std::string& word, const std::string& because, const facts::Place& place);
  // The outermost first.
  std::vector<Reason> reasons() const;

 private:
  struct Link;
  void add(Evidence evidence, std::string what, const facts::Place& place);
  bool named_ = false;
  std::shared_ptr<const Link> last_;
};

const char* to_string(Evidence evidence);

}  // namespace syncsniff::frequency
