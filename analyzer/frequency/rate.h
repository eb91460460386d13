// How often a place runs, compared with the steps of the loop that launches GPU work, and the reasons for that.
// Whatever lowers or withholds a finding because the place runs rarely goes through Rate, so that the reasons can be
// listed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "rules/finding.h"

namespace syncsniff::frequency {

// The kind of evidence for a reason. Structure is what the code does. A name is weak evidence and lowers by one step at
// most.
enum class Evidence : uint8_t { kStructure, kName };

struct Reason {
  Evidence evidence = Evidence::kStructure;
  std::string what;                 // "one iteration in 100 runs it"
  facts::Place place;               // the condition, loop or function that is the evidence
  Severity most = Severity::kInfo;  // it lowered the finding to this severity; kInfo: it withheld the finding
};

struct Rate {
  Severity severity = Severity::kHigh;
  bool dropped = false;  // the place does not belong to a step: an error path, a constant false, set-up

  void cap(Severity most, const char* what, const facts::Place& place, Evidence evidence = Evidence::kStructure);
  void drop(const char* what, const facts::Place& place);
  // A cap, and names that say no more than this lower nothing after it.
  void compute_no_gradients(const facts::Place& place);
  bool computes_no_gradients() const { return computes_no_gradients_; }
  // Lowers by one step, and only once however many names there are. `because`: what the word means.
  void lower_by_name(const std::string& word, const std::string& because, const facts::Place& place);
  // The reasons, those of the outermost places first.
  std::vector<Reason> reasons() const;

 private:
  struct Link;
  void add(Evidence evidence, std::string what, const facts::Place& place);
  bool named_ = false, computes_no_gradients_ = false;
  std::shared_ptr<const Link> last_;
};

const char* to_string(Evidence evidence);

}  // namespace syncsniff::frequency
