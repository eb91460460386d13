#include "analyzer/program/keyed_calls.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "analyzer/program/indirect_calls.h"
#include "analyzer/program/provenance.h"
#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

using facts::UnitFacts;

constexpr int kMostCallsToStored = 4;  // functions between the call and the stored function

void add_keys(const Value& value, facts::TextSet& keys) {
  if (value.kind == Value::Kind::kAny && !value.text.empty()) keys.insert(value.text);
  for (const Value& operand : value.operands) add_keys(operand, keys);
}

// The keys under which the units store functions. Functions of unknown source may also store what they are passed, but
// where is not visible, so they do not count.
facts::TextSet keys_in(const std::vector<UnitFacts*>& units) {
  facts::TextSet keys, in_sight;
  for (const UnitFacts* unit : units)
    for (const Function& f : unit->functions) in_sight.insert(f.usr);
  const auto is_out_of_sight = [&](const Event& e) {
    return !e.callee.indirect && !e.callee.is_virtual && in_sight.count(e.callee.id) == 0;
  };
  for (const UnitFacts* unit : units) {
    for (const Flow& flow : unit->flows) add_keys(flow.value, keys);
    for (const Function& f : unit->functions) {
      for (const Event& e : f.events)
        if (!e.key.empty() && hand_function(e.args) && !is_out_of_sight(e)) keys.insert(e.key);
    }
  }
  return keys;
}

// Whether the value is looked up under one of the keys: table["relu"], or the result of a call with "relu".
bool looks_up(const Value& value, const Function* f, const facts::TextSet& keys) {
  if (value.kind == Value::Kind::kContent && keys.count(value.text) != 0) return true;
  if (value.kind == Value::Kind::kCall && f && value.event >= 0 && keys.count(f->events[value.event].key) != 0)
    return true;
  return std::ranges::any_of(value.operands, [&](const Value& operand) { return looks_up(operand, f, keys); });
}

// Most keys are only used to store a function, as in add_option("--rate", callback), and never looked up.
bool some_key_is_looked_up(const std::vector<UnitFacts*>& units, const facts::TextSet& keys) {
  const auto in_event = [&](const Event& e, const Function& f) {
    if (keys.count(e.key) != 0 && !hand_function(e.args)) return true;
    return looks_up(e.object, &f, keys) || std::ranges::any_of(facts::values(e.args), [&](const Value& argument) {
             return looks_up(argument, &f, keys);
           });
  };
  return std::ranges::any_of(units, [&](const UnitFacts* unit) {
    const auto in_flow = [&](const Flow& flow) {
      return looks_up(flow.value, flow.function < 0 ? nullptr : &unit->functions[flow.function], keys);
    };
    const auto in_function = [&](const Function& f) {
      return std::ranges::any_of(f.events, [&](const Event& e) { return in_event(e, f); });
    };
    return std::ranges::any_of(unit->flows, in_flow) || std::ranges::any_of(unit->functions, in_function);
  });
}

// The functions that a call finally runs, and the number of its first arguments that are not passed on to them.
struct Dispatch {
  std::set<std::string> functions;
  size_t first_argument = 0;
};

class KeyedCalls {
 public:
  KeyedCalls(const Code& code, const Flows& flows, facts::TextSet keys)
      : code_(code),
        flows_(flows),
        keys_(std::move(keys)),
        graph_(link_calls(code, flows)),
        provenance_(code, flows, graph_) {
    works_ = graph_.functions_reaching([&](const Event& e) { return works_on_gpu(e, code_.api(e)); });
  }

  // The stored functions that the call runs; nothing if they are unknown.
  std::optional<Dispatch> dispatch_of(Site call) const {
    std::optional<Dispatch> dispatch = through(call, {}, 0);
    if (dispatch) keep_those_that_work(dispatch->functions);
    return dispatch;
  }

 private:
  std::optional<Dispatch> through(Site site, facts::Text key, int depth) const {
    const Event& call = code_.event(site);
    if (call.kind != Event::Kind::kCall || call.callee.harmless || depth > kMostCallsToStored) return {};
    const bool looks_up = key.empty() && keys_.count(call.key) != 0 && !hand_function(call.args);
    // table.get("scale")(x), table.get("scale").call(x)
    if (const std::optional<size_t> first = call.callee.indirect ? 0 : first_argument_handed_to_own(call, depth)) {
      if (std::set<std::string> held = held_by(site, key); !held.empty()) return Dispatch{std::move(held), *first};
    }
    // table.call("scale", x)
    const facts::Text wanted = looks_up ? call.key : key;
    if (wanted.empty() || call.callee.indirect || call.callee.is_virtual) return {};
    const int callee = code_.find(call.callee.id);
    if (callee < 0) return {};
    for (int e = 0; e < static_cast<int>(code_.function(callee).events.size()); ++e) {
      std::optional<Dispatch> inner = through({callee, e}, wanted, depth + 1);
      if (!inner) continue;
      if (!does_nothing_else(callee, e)) return {};
      inner->first_argument = first_parameter(callee, code_.event({callee, e}), inner->first_argument);
      return inner;
    }
    return {};
  }

  // The functions stored in the called object, or in the object of the method call, under the key or under a key by
  // which the object is looked up.
  std::set<std::string> held_by(Site site, facts::Text key) const {
    const Event& call = code_.event(site);
    Value object = call.object;
    if (object.kind == Value::Kind::kObject) object.kind = Value::Kind::kNode;
    // A field of an object.
    if (object.kind == Value::Kind::kAny && !object.node.empty()) object.kind = Value::Kind::kNode;
    if (object.kind == Value::Kind::kUnknown || object.kind == Value::Kind::kFunction) return {};
    return provenance_.functions_under_key(object, code_.reading(site), key);
  }

  // If the callee is a method that calls the function in one of its fields: the index of the first argument that it
  // passes to this function.
  std::optional<size_t> first_argument_handed_to_own(const Event& call, int depth) const {
    const int callee = code_.find(call.callee.id);
    if (callee < 0 || depth > kMostCallsToStored) return {};
    const std::vector<Event>& events = code_.function(callee).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (!events[e].callee.indirect || !is_of_field(events[e].object, 0)) continue;
      return does_nothing_else(callee, e) ? std::optional(first_parameter(callee, events[e], 0)) : std::nullopt;
    }
    return {};
  }
  // Whether this event leads to all GPU work and waits of the function.
  bool does_nothing_else(int function, int event) const {
    const std::vector<Event>& events = code_.function(function).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (e == event || events[e].callee.indirect || is_off_or_once(code_.function(function), events[e].region))
        continue;
      if (works_on_gpu(events[e], code_.api(events[e]))) return false;
      const std::vector<int>& callees = graph_.callees({function, e});
      if (std::any_of(callees.begin(), callees.end(), [&](int callee) { return works_[callee]; })) return false;
    }
    return true;
  }
  bool is_of_field(const Value& value, int depth) const {
    if (value.kind != Value::Kind::kNode || depth > 3) return false;
    if (value.node.str().starts_with("f:")) return true;
    const std::vector<LinkedFlow>* flows = flows_.into(value.node);
    return flows && std::any_of(flows->begin(), flows->end(),
                                [&](const LinkedFlow& flow) { return is_of_field(flow.flow->value, depth + 1); });
  }

  // `call` is in the function and passes on arguments from `first` on. Returns the function's parameter that argument
  // `first` is.
  size_t first_parameter(int function, const Event& call, size_t first) const {
    for (size_t a = first; a < call.args.size(); ++a) {
      const int parameter = parameter_handed_on(call, a);
      if (parameter >= 0 && parameter + first >= a) return parameter + first - a;
    }
    // If all these arguments are numbers, they are the last parameters.
    const size_t count = call.args.size() - std::min(first, call.args.size());
    const size_t parameters = code_.function(function).params.size();
    return parameters - std::min(count, parameters);
  }

  // If one name is used for a CPU function and a GPU function, keeps the latter, since only GPU time matters.
  void keep_those_that_work(std::set<std::string>& functions) const {
    const auto works = [&](const std::string& usr) {
      const int f = code_.find(usr);
      return f >= 0 && works_[f];
    };
    if (std::ranges::any_of(functions, works)) std::erase_if(functions, [&](const auto& usr) { return !works(usr); });
  }

  const Code& code_;
  const Flows& flows_;
  const facts::TextSet keys_;
  const CallGraph graph_;
  const Provenance provenance_;
  std::vector<bool> works_;  // by function: it leads to GPU work
};

void hand_over(Event& call, const Dispatch& dispatch, const Code& code) {
  const size_t first = std::min(dispatch.first_argument, call.args.size());
  call.args.erase(call.args.begin(), call.args.begin() + static_cast<std::ptrdiff_t>(first));
  call.arg_sums.erase(call.arg_sums.begin(),
                      call.arg_sums.begin() + static_cast<std::ptrdiff_t>(std::min(first, call.arg_sums.size())));
  facts::List<int> index_args;
  for (size_t i = 0; i + 1 < call.loops.index_args.size(); i += 2) {
    if (call.loops.index_args[i] < static_cast<int>(first)) continue;
    index_args.push_back(call.loops.index_args[i] - static_cast<int>(first));
    index_args.push_back(call.loops.index_args[i + 1]);
  }
  call.loops.index_args = std::move(index_args);
  call.launched_on = {};
  call.object = {};
  call.callee.is_virtual = false;
  call.callee.indirect = dispatch.functions.size() > 1;
  if (!call.callee.indirect) {
    const std::string& usr = *dispatch.functions.begin();
    call.callee.id = usr;
    if (const int f = code.find(usr); f >= 0) call.callee.name = code.function(f).name;
    return;
  }
  call.callee.id = {};
  call.object.kind = Value::Kind::kAny;
  for (const std::string& usr : dispatch.functions) {
    Value function;
    function.kind = Value::Kind::kFunction;
    function.node = usr;
    call.object.operands.push_back(std::move(function));
  }
}

}  // namespace

void name_keyed_callees(const std::vector<UnitFacts*>& units, const ApiTable& apis) {
  facts::TextSet keys = keys_in(units);
  if (keys.empty() || !some_key_is_looked_up(units, keys)) return;
  const std::vector<const UnitFacts*> read(units.begin(), units.end());
  const Code code(read, apis);
  const Flows flows(read, code);
  const KeyedCalls calls(code, flows, std::move(keys));
  std::vector<std::pair<Site, Dispatch>> found;
  for (int f = 0; f < code.count(); ++f) {
    for (int e = 0; e < static_cast<int>(code.function(f).events.size()); ++e) {
      if (std::optional<Dispatch> dispatch = calls.dispatch_of({f, e})) found.emplace_back(Site{f, e}, *dispatch);
    }
  }
  // A header's function has a copy in several units, and another program may use another copy, so all copies are
  // changed.
  facts::TextMap<std::vector<Function*>> copies;
  for (UnitFacts* unit : units)
    for (Function& f : unit->functions) copies[f.usr].push_back(&f);
  for (const auto& [site, dispatch] : found) {
    const Function& f = code.function(site.function);
    const std::string callee = f.events[site.event].callee.id;
    for (Function* copy : copies[f.usr]) {
      if (copy->events.size() == f.events.size() && copy->events[site.event].callee.id == callee)
        hand_over(copy->events[site.event], dispatch, code);
    }
  }
}

}  // namespace syncsniff::program
