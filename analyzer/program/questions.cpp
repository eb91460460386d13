#include "analyzer/program/questions.h"

#include <algorithm>
#include <utility>

#include "analyzer/facts/words.h"
#include "analyzer/program/code.h"

namespace syncsniff::program {

namespace {

using facts::Event;
using facts::Function;
using facts::Gate;
using facts::Guard;
using facts::Question;
using facts::Region;
using facts::Turn;
using facts::UnitFacts;

Question time_returned_by(const facts::Text& function) {
  Question question;
  question.function = function;
  question.compared = true;
  return question;
}

constexpr int kMostForwarders = 6;  // functions that only return another function's result

class Answers {
 public:
  explicit Answers(const std::vector<UnitFacts>& units) : units_(units) {
    for (const UnitFacts& unit : units) {
      for (const Function& f : unit.functions) {
        functions_[f.usr].push_back(&f);
        for (const facts::Text base : f.overrides) overriders_[base].push_back(&f);
      }
      for (const Turn& turn : unit.turns) {
        Turn& all = turns_[turn.flag];
        for (const Turn::Setter& setter : turn.setters) {
          all.setters.push_back(setter);
          calls_[setter.function];
        }
        all.begins_true |= turn.begins_true;
        all.begins_false |= turn.begins_false;
        for (const Turn::Given& given : turn.begins_as) {
          const bool is_new = std::ranges::none_of(all.begins_as, [&](const Turn::Given& other) {
            return other.function == given.function && other.parameter == given.parameter;
          });
          if (is_new) all.begins_as.push_back(given);  // a header's constructor is in several units
          calls_[given.function];
        }
      }
    }
  }

  Guard settle(const Question& question, int depth = 0) const {
    Guard guard;
    if (depth > kMostForwarders) return guard;
    if (!question.flag.empty()) return of_flag(question);
    if (question.overridable) return of_overriders(question, depth);
    const auto found = functions_.find(question.function);
    if (found == functions_.end()) return guard;
    // All copies of a header's function give the same answer; functions of one name in two programs may not.
    for (const Function* f : found->second) {
      const Guard one = question.compared ? time_of(*f, depth) : answer_of(*f, question.answer, depth);
      if (one.gate == Gate::kNone || (f != found->second.front() && one.gate != guard.gate)) return {};
      if (f == found->second.front() || one.period > guard.period) guard = one;
    }
    return guard;
  }

 private:
  Guard of_flag(const Question& question) const {
    Guard guard;
    const auto turn = turns_.find(question.flag);
    const bool turned_back =
        turn != turns_.end() && std::ranges::any_of(turn->second.setters, [&](const Turn::Setter& setter) {
          if (setter.function == question.by || only_constructors_call(setter.function)) return false;
          if (question.size) return setter.to_zero && !only_destructors_call(setter.function);
          return question.turned_to ? setter.to_false : setter.to_true;
        });
    if (question.of_object && (turn == turns_.end() || !begins_off(turn->second, question.turned_to))) return guard;
    if (!turned_back) guard.gate = question.off ? Gate::kDebug : Gate::kLazy;
    return guard;
  }

  // Whether the flag begins with the value that turns the region off in every object, as far as the units show:
  // constructors get it as parameter, and all calls pass this value. A flag that no constructor takes is an option that
  // other code reads from a file or a command line.
  bool begins_off(const Turn& turn, bool off) const {
    if (turn.begins_as.empty() || (off ? turn.begins_false : turn.begins_true)) return false;
    find_calls();
    bool known = false;
    for (const Turn::Given& given : turn.begins_as) {
      for (const auto& [call, caller] : calls_.at(given.function)) {
        const long long value =
            given.parameter < call->args.size() ? call->args[given.parameter].constant : given.left_out;
        if (value == facts::kNotConstant || (value != 0) != off) return false;
        known = true;
      }
    }
    return known;
  }

  // Whether only constructors call the setter, as an init() that every constructor calls. The flag then begins with the
  // value that it sets.
  bool only_constructors_call(const facts::Text& setter) const {
    return is_called_only_by(setter, [](const Function& caller) { return is_constructor(caller); });
  }

  // Whether the setter is a destructor, or a function such as free() that only destructors call. The object then no
  // longer exists.
  bool only_destructors_call(const facts::Text& setter) const {
    const auto is_destructor = [](const Function& f) { return facts::names_destructor(f.name); };
    const auto known = functions_.find(setter);
    return (known != functions_.end() && is_destructor(*known->second.front())) ||
           is_called_only_by(setter, is_destructor);
  }

  // Returns false if no call is known.
  template <class Is>
  bool is_called_only_by(const facts::Text& setter, const Is& is) const {
    if (setter.empty()) return false;
    find_calls();
    const auto& calls = calls_.at(setter);
    return !calls.empty() && std::ranges::all_of(calls, [&](const auto& call) { return is(*call.caller); });
  }

  // Finds the calls of constructors that begin a flag with a parameter, and of functions that set a flag. Done only on
  // the first query, since most programs have no condition that needs them.
  void find_calls() const {
    if (std::exchange(calls_found_, true)) return;
    for (const UnitFacts& unit : units_) {
      for (const Function& f : unit.functions) {
        for (const Event& event : f.events) {
          if (event.kind != Event::Kind::kCall) continue;
          if (const auto calls = calls_.find(event.callee.id); calls != calls_.end())
            calls->second.push_back({&event, &f});
        }
      }
    }
  }

  // For a virtual function: a gate only if every candidate returns the answer rarely or never. Candidates that never do
  // are ignored, unless all are such.
  Guard of_overriders(const Question& question, int depth) const {
    std::vector<const Function*> candidates;
    if (const auto own = functions_.find(question.function); own != functions_.end()) candidates = own->second;
    if (const auto overriding = overriders_.find(question.function); overriding != overriders_.end())
      candidates.insert(candidates.end(), overriding->second.begin(), overriding->second.end());
    else if (candidates.empty() || candidates.front()->overrides.empty())
      return {};  // only code of unknown source overrides it
    Guard guard;
    for (const Function* f : candidates) {
      const Guard one = question.compared ? time_of(*f, depth) : answer_of(*f, question.answer, depth);
      if (one.gate == Gate::kNone) return {};
      if (guard.gate == Gate::kNone || guard.gate == Gate::kNever || one.gate == Gate::kModulo) guard = one;
    }
    return guard;
  }

  Guard answer_of(const Function& f, bool answer, int depth) const {
    const Guard& when_answered = answer ? f.when_true : f.when_false;
    return when_answered.gate == Gate::kNone && when_answered.question.open()
               ? settle(when_answered.question, depth + 1)
               : when_answered;
  }

  Guard time_of(const Function& f, int depth) const {
    Guard guard;
    if (f.returns_time)
      guard.gate = Gate::kModulo;
    else if (!f.returns_time_if.empty())
      guard = settle(time_returned_by(f.returns_time_if), depth + 1);
    return guard;
  }

  facts::TextMap<std::vector<const Function*>> functions_, overriders_;
  facts::TextMap<Turn> turns_;
  const std::vector<UnitFacts>& units_;
  struct Call {
    const Event* call;
    const Function* caller;
  };
  mutable facts::TextMap<std::vector<Call>> calls_;  // by called function
  mutable bool calls_found_ = false;
};

}  // namespace

void answer_questions(std::vector<UnitFacts>& units) {
  const Answers answers(units);
  for (UnitFacts& unit : units) {
    for (Function& f : unit.functions) {
      for (Region& region : f.regions) {
        if (region.gate != Gate::kNone || !region.question.open()) continue;
        const Guard guard = answers.settle(region.question);
        // Written only if it changes, since the pages are shared with the parent process and a write copies them.
        if (region.gate != guard.gate) region.gate = guard.gate;
        if (region.period != guard.period) region.period = guard.period;
      }
    }
  }
}

}  // namespace syncsniff::program
