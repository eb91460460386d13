// What is known of a function's return value, for the branches on it: whether true or false is rare, and whether it is
// a time.
#include "analyzer/facts/walker.h"

namespace syncsniff::facts {

using namespace clang;

namespace {

bool is_rare_or_open(const Guard& guard) { return guard.gate != Gate::kNone || guard.question.open(); }

}  // namespace

// The nearest gate around the current place. `if (x) return true;` leaves a function, and does not show how often it is
// called.
Guard FunctionWalker::guard_of_region() const {
  const std::vector<Region>& regions = unit_.functions[function_].regions;
  for (int r = region_; r > 0; r = regions[r].parent) {
    Guard guard;
    guard.gate = regions[r].gate == Gate::kOnce ? Gate::kNone : regions[r].gate;
    guard.period = regions[r].period;
    guard.question = regions[r].question;
    if (is_rare_or_open(guard)) return guard;
  }
  return {};
}

void FunctionWalker::answer_is(bool truth, const Guard& guard) {
  Guard& answer = truth ? function().when_true : function().when_false;
  answer = answered_[truth] ? either(answer, guard) : guard;
  answered_[truth] = true;
}

void FunctionWalker::answer(const Expr* returned) {
  if (!decl_->getReturnType()->isBooleanType()) {
    const Stmt* loop = loops_.empty() ? nullptr : loops_.back().stmt;
    const ClockReading reading = reads_clock(returned, loop, writes_, apis_, context_);
    function().returns_time |= reading.reads;
    function().returns_time_if = reading.asks;
    return;
  }
  const Guard here = guard_of_region();
  for (const bool truth : {false, true}) {
    Guard value = guard_of(returned, truth, nullptr);
    // The name of a value does not show how often it is true.
    const bool by_value = value.gate == Gate::kNever || value.gate == Gate::kModulo || value.gate == Gate::kError;
    if (!by_value && value.gate != Gate::kDebug) value.gate = Gate::kNone;
    value.named.clear();
    if (value.gate == Gate::kNever) continue;
    answer_is(truth, conjunction(here, value));
  }
}

// A value that no return statement returns never occurs.
void FunctionWalker::no_answer() {
  if (!decl_->getReturnType()->isBooleanType() || !(answered_[0] || answered_[1])) return;
  if (!answered_[0]) function().when_false.gate = Gate::kNever;
  if (!answered_[1]) function().when_true.gate = Gate::kNever;
}

}  // namespace syncsniff::facts
