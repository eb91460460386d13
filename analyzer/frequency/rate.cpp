#include "analyzer/frequency/rate.h"

#include <algorithm>

namespace syncsniff::frequency {

// A list of reasons. A Rate is copied at each call of a program, so copies share the common part of the list.
struct Rate::Link {
  Reason reason;
  std::shared_ptr<const Link> before;
};

void Rate::add(Evidence evidence, std::string what, const facts::Place& place) {
  Reason reason{evidence, std::move(what), place, dropped ? Severity::kInfo : severity};
  last_ = std::make_shared<const Link>(Link{std::move(reason), last_});
}

void Rate::cap(Severity most, const char* what, const facts::Place& place, Evidence evidence) {
  if (severity <= most) return;
  severity = most;
  add(evidence, what, place);
}

void Rate::compute_no_gradients(const facts::Place& place) {
  computes_no_gradients_ = true;
  cap(Severity::kMedium, "no gradients are computed here", place);
}

void Rate::drop(const char* what, const facts::Place& place) {
  if (dropped) return;
  dropped = true;
  add(Evidence::kStructure, what, place);
}

void Rate::lower_by_name(const std::string& word, const std::string& because, const facts::Place& place) {
  if (named_ || severity <= Severity::kLow) return;
  named_ = true;
  severity = severity == Severity::kHigh ? Severity::kMedium : Severity::kLow;
  add(Evidence::kName, "'" + word + "' in the name says that " + because, place);
}

std::vector<Reason> Rate::reasons() const {
  std::vector<Reason> all;
  for (const Link* link = last_.get(); link; link = link->before.get()) all.push_back(link->reason);
  std::reverse(all.begin(), all.end());
  return all;
}

const char* to_string(Evidence evidence) { return evidence == Evidence::kName ? "name" : "structure"; }

}  // namespace syncsniff::frequency
