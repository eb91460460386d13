#include "analyzer/frequency/gates.h"

#include <optional>

#include "analyzer/facts/words.h"

namespace syncsniff::frequency {

namespace {

using facts::Gate;
using facts::NamedTerm;
using facts::Region;

// A branch taken in every second or fifth step still stalls training; one taken in every hundredth is for logging.
constexpr long kRarePeriod = 10;

// Cached, since the heat of each place needs the words of all functions around it. Not thread-safe: facts are evaluated
// on one thread.
const std::string& words_in(facts::Text name) {
  static auto& known = *new facts::TextMap<std::string>;
  const auto [words, is_new] = known.try_emplace(name);
  if (is_new) words->second = facts::words_of(name);
  return words->second;
}

std::optional<Words::Match> match_term(const NamedTerm& term, const Words& words) {
  std::optional<Words::Match> found;
  // is_training(), net.train: the word "train" counts only if it is the whole operand. With other names, as in
  // training_set.size() > 0, it shows nothing.
  if (!term.holds && term.alone) found = words.match(NamePlace::kConditionFalse, term.names);
  if (!found && term.holds) found = words.match(NamePlace::kCondition, term.names);
  if (!found && term.may_turn)
    found = words.match(term.holds ? NamePlace::kTurningCondition : NamePlace::kTurningConditionFalse, term.names);
  return found;
}

void lower(Rate& rate, const std::optional<Words::Match>& match, const facts::Place& place) {
  if (!match || (match->group->says_no_gradients && rate.computes_no_gradients())) return;
  rate.lower_by_name(match->word, match->group->because, place);
}

void pass_names(Rate& rate, const Region& region, const Words& words) {
  for (const NamedTerm& term : region.named) {
    // `if (net.train)` lowers nothing, whatever else is named.
    if (term.holds && term.alone && words.trains(term.names)) return;
  }
  for (const NamedTerm& term : region.named) {
    if (const auto match = match_term(term, words)) return lower(rate, match, region.place);
  }
}

}  // namespace

void pass_condition(Rate& rate, const Region& region, bool hot, const Words& words) {
  const facts::Place& place = region.place;
  switch (region.gate) {
    case Gate::kNever:
      return rate.drop("its condition is never true", place);
    case Gate::kOnCpu:
      return rate.drop("it runs where the tensors live on the CPU", place);
    case Gate::kError:
      return rate.drop("it runs where an error is handled", place);
    case Gate::kLazy:
      return hot ? rate.drop("it runs until something is created, and not afterwards", place) : void();
    case Gate::kModulo:
      if (region.period == 1) return;  // step % 1 == 0 is always true
      return region.period > 0 && region.period < kRarePeriod
                 ? rate.cap(Severity::kMedium, "it runs in one iteration of several", place)
                 : rate.cap(Severity::kLow, "it runs in one iteration of many", place);
    case Gate::kDebug:
      return rate.cap(Severity::kLow, "it runs only on request, by the environment or a flag set from outside", place);
    case Gate::kValidation:
      return rate.compute_no_gradients(place);
    case Gate::kBest:
      return rate.cap(Severity::kMedium, "it runs when a value is the best so far", place);
    case Gate::kLog:
      rate.cap(Severity::kMedium, "it only writes a message, where the log's level asks for it", place);
      return pass_names(rate, region, words);
    case Gate::kOnce:
      return rate.cap(Severity::kMedium, "it runs in one iteration of a loop", place);
    case Gate::kNone:
      return pass_names(rate, region, words);
  }
}

void pass_function(Rate& rate, const facts::Function& function, const Words& words) {
  const std::string name = words_in(function.name);
  if (words.trains(name)) return;
  lower(rate, words.match(NamePlace::kFunction, name), function.place);
}

void pass_wrapper(Rate& rate, const facts::Function& function, const Words& words) {
  lower(rate, words.match(NamePlace::kWrapper, words_in(function.name)), function.place);
}

void pass_loop(Rate& rate, const Region& loop, const facts::Function& function, const Words& words) {
  if (const auto match = words.match(NamePlace::kLoop, facts::words_of_text(loop.text)))
    return lower(rate, match, loop.place);
  lower(rate, words.match(NamePlace::kLoopFunctionStart, words_in(function.name)), function.place);
}

void pass_element_loop(Rate& rate, const Region& loop, const Words& words) {
  if (const auto word = words.goes_through(LoopKind::kSteps, facts::words_of_text(loop.text)))
    rate.lower_by_name(*word, "an iteration may depend on the previous one", loop.place);
}

void pass_element_call(Rate& rate, const facts::Event& call, const Words& words) {
  if (const auto word = words.passes(facts::words_of(call.callee.name)))
    rate.lower_by_name(*word, "a call may depend on the previous one", call.place);
}

bool trains_by_name(const facts::Function& function, const Words& words) {
  return words.trains(words_in(function.name));
}

bool goes_through(LoopKind kind, const Region& loop, const Words& words) {
  return words.goes_through(kind, facts::words_of_text(loop.text)).has_value();
}

}  // namespace syncsniff::frequency
