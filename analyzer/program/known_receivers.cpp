#include "analyzer/program/known_receivers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/facts/each_text.h"
#include "analyzer/program/code.h"

namespace syncsniff::program {

namespace {

using facts::Text;
using facts::UnitFacts;

constexpr int kDeepestHelpers = 4;             // nesting of base class helpers that call each other
constexpr size_t kMostPartedFunctions = 2000;  // functions in one program

bool is_of(const Function& method, Text class_usr) {
  const std::string& usr = method.usr;
  return usr.size() > class_usr.size() + 3 && usr.compare(0, class_usr.size(), class_usr.str()) == 0 &&
         usr.compare(class_usr.size(), 3, "@F@") == 0;
}

bool is_called_on_own_object(const Event& event, const Function& f) {
  return event.kind == Event::Kind::kCall && !event.callee.indirect && event.object.kind == Value::Kind::kNode &&
         event.object.node.str() == "t:" + f.usr.str();
}

// Replaces the USR `from` where it names the function or one of its variables, but not where it is a prefix of the USR
// of an overload or of one of its lambdas.
Text renamed(Text text, const std::string& from, const std::string& to) {
  if (text.find(from) == std::string::npos) return text;
  std::string changed = text;
  for (size_t at = changed.find(from); at != std::string::npos; at = changed.find(from, at)) {
    const std::string_view rest = std::string_view(changed).substr(at + from.size());
    const bool is_own = rest.empty() || rest[0] == '#' || (rest[0] == '@' && !rest.starts_with("@Sa"));
    if (is_own) changed.replace(at, from.size(), to);
    at += is_own ? to.size() : from.size();
  }
  return changed;
}

// The position of a function in its unit, so that it can be copied with its flows.
struct Source {
  const UnitFacts* unit = nullptr;
  size_t function = 0;
  const Function& get() const { return unit->functions[function]; }
};

class Receivers {
 public:
  explicit Receivers(const std::vector<UnitFacts*>& units) : units_(units) {
    for (const UnitFacts* unit : units) {
      for (size_t f = 0; f < unit->functions.size(); ++f) {
        const Function& function = unit->functions[f];
        if (!by_usr_.try_emplace(function.usr, Source{unit, f}).second) continue;
        for (const Text base : function.overrides) overriders_[base].push_back(&function);
      }
    }
  }

  void run() {
    const std::vector<Call> calls = find_calls();
    // Functions are added only after all reading, since the pointers kept so far point into the units' vectors.
    for (const Call& call : calls) call.unit->functions[call.function].events[call.event].callee.id = call.parted;
    for (UnitFacts* unit : units_) {
      std::set<std::string> wanted;
      for (const Call& call : calls)
        if (call.unit == unit) add_with_helpers(call.parted, wanted);
      for (const std::string& usr : wanted) add(*unit, parted_.at(usr));
    }
    // All other callers of the base's function are in the program, so callers of unknown source need not be assumed.
    for (UnitFacts* unit : units_)
      for (Function& f : unit->functions)
        if (bases_.count(f.usr)) f.is_static_or_local = true;
  }

 private:
  struct Call {
    UnitFacts* unit;
    size_t function, event;
    Text parted;
  };
  std::vector<Call> find_calls() {
    std::vector<Call> calls;
    for (UnitFacts* unit : units_)
      for (size_t f = 0; f < unit->functions.size(); ++f) find_calls(*unit, f, calls);
    return calls;
  }
  void find_calls(UnitFacts& unit, size_t f, std::vector<Call>& calls) {
    const Function& function = unit.functions[f];
    for (size_t e = 0; e < function.events.size(); ++e) {
      const facts::Callee& callee = function.events[e].callee;
      if (callee.of_class.empty() || callee.is_virtual || callee.indirect) continue;
      const Text parted = part(callee.id, callee.of_class, 0);
      if (!parted.empty()) calls.push_back({&unit, f, e, parted});
    }
  }

  struct Parted {
    Function function;
    std::vector<Flow> flows;
    std::vector<int> orders;    // positions of the flows in the base's unit
    std::vector<Text> helpers;  // other copied functions that it calls
  };

  // The USR of the function's copy for objects of the class; empty if the function is the same for every class.
  Text part(Text usr, Text class_usr, int depth) {
    const auto source = by_usr_.find(usr);
    if (source == by_usr_.end() || depth > kDeepestHelpers || parted_.size() > kMostPartedFunctions) return {};
    const std::string name = usr.str() + " of " + class_usr.str();
    if (parted_.count(name)) return name;
    if (!tried_.insert(name).second) return {};
    const Function& base = source->second.get();
    if (is_of(base, class_usr)) return {};
    Parted parted{base, {}, {}, {}};
    bool differs = false;
    for (Event& event : parted.function.events) {
      if (!is_called_on_own_object(event, base)) continue;
      if (!event.callee.is_virtual) {
        const Text helper = part(event.callee.id, class_usr, depth + 1);
        if (helper.empty()) continue;
        event.callee.id = helper;
        parted.helpers.push_back(helper);
        differs = true;
      } else if (const Function* own = overrider(event.callee.id, class_usr)) {
        event.callee.id = own->usr;
        event.callee.name = own->name;
        event.callee.is_virtual = overriders_.count(own->usr) != 0;
        differs = true;
      }
    }
    if (!differs) return {};
    const auto& flows = source->second.unit->flows;
    for (size_t i = 0; i < flows.size(); ++i) {
      if (flows[i].function != static_cast<int>(source->second.function)) continue;
      parted.flows.push_back(flows[i]);
      parted.orders.push_back(static_cast<int>(i));
    }
    facts::EachText rename([&](Text& text) { text = renamed(text, usr, name); });
    rename(parted.function.usr, parted.function.params, parted.function.events, parted.function.returns);
    for (Flow& flow : parted.flows) rename(flow.into, flow.value);
    parted.function.is_static_or_local = true;
    bases_.insert(usr);
    parted_.emplace(name, std::move(parted));
    return name;
  }

  const Function* overrider(Text virtual_usr, Text class_usr) const {
    const auto found = overriders_.find(virtual_usr);
    if (found == overriders_.end()) return nullptr;
    const auto own = std::find_if(found->second.begin(), found->second.end(),
                                  [&](const Function* f) { return is_of(*f, class_usr); });
    return own == found->second.end() ? nullptr : *own;
  }

  void add_with_helpers(Text usr, std::set<std::string>& wanted) const {
    if (!wanted.insert(usr).second) return;
    for (const Text helper : parted_.at(usr).helpers) add_with_helpers(helper, wanted);
  }

  static void add(UnitFacts& unit, const Parted& parted) {
    const int function = static_cast<int>(unit.functions.size()), flows_before = static_cast<int>(unit.flows.size());
    unit.functions.push_back(parted.function);
    for (Event& event : unit.functions.back().events) {
      const auto own = std::lower_bound(parted.orders.begin(), parted.orders.end(), event.order);
      event.order = flows_before + static_cast<int>(own - parted.orders.begin());
    }
    for (Flow flow : parted.flows) {
      flow.function = function;
      unit.flows.push_back(std::move(flow));
    }
  }

  const std::vector<UnitFacts*>& units_;
  facts::TextMap<Source> by_usr_;
  facts::TextMap<std::vector<const Function*>> overriders_;
  std::map<std::string, Parted> parted_;
  std::set<std::string> tried_;
  facts::TextSet bases_;
};

}  // namespace

void part_by_receiver(const std::vector<UnitFacts*>& units) {
  const auto says_class = [](const Event& event) { return !event.callee.of_class.empty(); };
  if (any_event(units, says_class)) Receivers(units).run();
}

}  // namespace syncsniff::program
