// A field is one node for all objects of its type. A parameter stands for the argument of the calling context if that
// is known.
#include "analyzer/program/provenance.h"

#include <algorithm>

#include "analyzer/facts/parameter_node.h"

namespace syncsniff::program {

namespace {

constexpr int kDeepestProvenance = 40;

// Whether both keys are literals, or enumerators of the same enumeration.
bool are_of_one_kind(facts::Text a, facts::Text b) {
  const auto kind = [](facts::Text key) {
    const std::string& text = key.str();
    return text.empty() || text[0] == '"' ? text.substr(0, 1) : text.substr(0, text.rfind(':'));
  };
  return kind(a) == kind(b);
}

class OriginSearch {
 public:
  // `heeds_keys`: see keys.h. False for memory, since more of it may be stored under keys that are not visible.
  OriginSearch(const Code& code, const Flows& flows, const CallGraph& graph, bool heeds_keys, facts::Text key = {})
      : code_(code), flows_(flows), graph_(graph), heeds_keys_(heeds_keys), wanted_(key) {}

  void follow(const Value& value, const Reading& at, const Context* context);

  Origins found;
  std::set<std::string> functions;            // USRs
  std::set<std::string> functions_under_key;  // those of them that are stored under the key
  bool has_passed_by = false;                 // something stored under another key was skipped

 private:
  void follow_node(facts::Text node, const Reading& at, const Context* context);
  void follow_parameter(const std::string& node, const Context* context);
  bool follow_pointed_to(const std::string& parameter, const Context* context);
  void follow_written(facts::Text node, const Context* context);
  void follow_stored(facts::Text stored, const Context& context);
  void add_pinned_in_place(facts::Text node);
  void add_pinned_by_helper(facts::Text node);

  // Runs `go` while searching for what is stored under `key`, unless an outer lookup has already set a key.
  template <class Go>
  void look_up(facts::Text key, const Go& go) {
    const facts::Text outer = wanted_;
    if (heeds_keys_ && wanted_.empty()) wanted_ = key;
    go();
    wanted_ = outer;
  }
  // Runs `go`, which follows a value stored under `key`, if this is the key that is looked up.
  template <class Go>
  void take_from(facts::Text key, const Go& go) {
    if (wanted_.empty() || !are_of_one_kind(key, wanted_)) return go();
    if (!(key == wanted_)) {
      has_passed_by = true;
      return;
    }
    ++under_key_;
    go();
    --under_key_;
  }

  const Code& code_;
  const Flows& flows_;
  const CallGraph& graph_;
  Visits visits_;
  facts::TextSet handed_on_;  // parameters followed in functions that pass theirs on to others which store into it
  int depth_ = 0;
  const bool heeds_keys_;
  facts::Text wanted_;  // the key that is looked up
  int under_key_ = 0;   // > 0: the value being followed is stored under the key
};

void OriginSearch::follow(const Value& value, const Reading& at, const Context* context) {
  if (depth_ > kDeepestProvenance) {
    found.unknown = true;
    return;
  }
  ++depth_;
  switch (value.kind) {
    case Value::Kind::kNull:
      break;
    case Value::Kind::kAllocation:
    case Value::Kind::kObject:
      found.all.push_back({value.memory, value.place, value.text});
      if (value.memory == MemoryKind::kUnknown) found.unknown = true;
      add_pinned_in_place(value.node);
      add_pinned_by_helper(value.node);
      break;
    case Value::Kind::kFunction:
      functions.insert(value.node);
      if (under_key_ != 0) functions_under_key.insert(value.node);
      break;
    case Value::Kind::kNode:
      follow_node(value.node, at, context);
      break;
    case Value::Kind::kContent:
      if (!value.node.empty())
        look_up(value.text, [&] { follow_node("*" + value.node, at, context); });
      else
        found.unknown = true;
      break;
    case Value::Kind::kAny:
      take_from(value.text, [&] {
        for (const Value& v : value.operands) follow(v, at, context);
      });
      break;
    case Value::Kind::kCall: {
      if (at.function < 0 || value.event < 0) {
        found.unknown = true;
        break;
      }
      const Site site{at.function, value.event};
      const Event& e = code_.event(site);
      const ApiFact* fact = code_.api(e);
      if (fact && fact->out_arg == kReturn && fact->allocates != MemoryKind::kUnknown) {
        found.all.push_back({fact->allocates, e.place, e.text.substr(0, 80)});
        break;
      }
      if (graph_.callees(site).empty()) found.unknown = true;
      const Context inner{site, context};
      look_up(e.key, [&] {
        for (int callee : graph_.callees(site)) follow_node("r:" + code_.function(callee).usr, callee, &inner);
      });
      break;
    }
    default:
      found.unknown = true;
  }
  --depth_;
}

// Adds pages that were registered after they were allocated. Both origins are true, so neither is proved alone.
void OriginSearch::add_pinned_in_place(facts::Text node) {
  const std::vector<LinkedFlow>* flows = node.empty() ? nullptr : flows_.into(node);
  if (!flows) return;
  for (const LinkedFlow& flow : *flows) {
    const Value& v = flow.flow->value;
    if (v.kind == Value::Kind::kAllocation && v.memory == MemoryKind::kPinned) {
      found.all.push_back({v.memory, v.place, v.text});
    }
  }
}

// The same if a helper registers them: `pin(p)`, or `pin(list)` by reference.
void OriginSearch::add_pinned_by_helper(facts::Text node) {
  if (node.empty()) return;
  for (const facts::Text given : {flows_.content_of(node), node}) {
    if (given.empty()) continue;
    for (const ArgumentUse& use : flows_.uses_as_argument(given)) {
      for (int callee : graph_.callees(use.site)) {
        const Function& f = code_.function(callee);
        if (use.argument < static_cast<int>(f.params.size())) add_pinned_in_place(f.params[use.argument]);
      }
    }
  }
}

void OriginSearch::follow_node(facts::Text node, const Reading& at, const Context* context) {
  const std::optional<Reaching> reached = flows_.visit(node, at, context, visits_);
  if (!reached) return;
  const size_t before = found.all.size() + functions.size();
  const bool unknown_before = found.unknown;
  bool any = !reached->flows.empty();
  for (const LinkedFlow* flow : reached->flows) {
    // Values assigned in another function are followed without the present calling context.
    const bool same = flow->function == at.function;
    follow(flow->flow->value, reading_of(*flow), same ? context : nullptr);
  }
  if ((node.starts_with("p:") && reached->entry) || node.starts_with("t:")) {
    follow_parameter(node, context);
    any = true;
  }
  if (node.starts_with("*p:")) any |= follow_pointed_to(node.substr(1), context);
  follow_written(node, context);
  add_pinned_by_helper(node);
  if (!any && found.all.size() + functions.size() == before && !unknown_before) found.unknown = true;
}

// Behind a pointer parameter is what the callers' variables hold. Returns whether a caller passes a variable.
bool OriginSearch::follow_pointed_to(const std::string& parameter, const Context* context) {
  const auto behind = facts::parameter_node(parameter);
  const int callee = code_.find(behind->function);
  if (callee < 0) return false;
  bool any = false;
  for (const Site& site : graph_.callers(callee)) {
    if (context && !(context->call == site)) continue;
    const Event& e = code_.event(site);
    if (behind->index >= e.args.size() || e.args[behind->index].node.empty()) continue;
    any = true;
    follow_node(e.args[behind->index].node, code_.reading(site), context ? context->outer : nullptr);
  }
  return any;
}

// Follows values that a call stores through its parameter: `helper(&x)`, or `helper(x)` by reference.
void OriginSearch::follow_written(facts::Text node, const Context* context) {
  for (const ArgumentUse& use : flows_.uses_as_argument(node)) {
    // A function of unknown source may store anything there.
    const Event& e = code_.event(use.site);
    if (e.kind == Event::Kind::kCall && graph_.callees(use.site).empty() && !e.callee.harmless) found.unknown = true;
    for (int callee : graph_.callees(use.site)) {
      const Function& f = code_.function(callee);
      if (use.argument >= static_cast<int>(f.params.size())) continue;
      const Context inner{use.site, nullptr};
      follow_stored(f.params[use.argument], inner);
      follow_stored(flows_.content_of(f.params[use.argument]), inner);
    }
  }
}

void OriginSearch::follow_stored(facts::Text stored, const Context& context) {
  if (stored.empty()) return;
  if (const std::vector<LinkedFlow>* flows = flows_.into(stored)) {
    for (const LinkedFlow& flow : *flows) follow(flow.flow->value, reading_of(flow), &context);
  }
  if (depth_ < kDeepestProvenance && handed_on_.insert(stored).second) {
    ++depth_;
    follow_written(stored, &context);
    --depth_;
  }
}

void OriginSearch::follow_parameter(const std::string& node, const Context* context) {
  const auto parameter = facts::parameter_node(node);
  const bool is_this = !parameter;
  const int callee = code_.find(is_this ? node.substr(2) : parameter->function);
  if (callee < 0 || graph_.callers(callee).empty()) {
    found.unknown = true;
    return;
  }
  const size_t index = is_this ? 0 : parameter->index;
  const auto from = [&](Site site, const Context* outer) {
    const Event& e = code_.event(site);
    if (is_this) return follow(e.object, code_.reading(site), outer);
    // A default argument, a call through a pointer with fewer arguments, or an argument passed by an algorithm of the
    // standard library.
    if (index >= e.args.size() || e.callee.harmless) {
      found.unknown = true;
      return;
    }
    take_from(e.key, [&] { follow(e.args[index].value, code_.reading(site), outer); });
  };
  if (context && std::find(graph_.callers(callee).begin(), graph_.callers(callee).end(), context->call) !=
                     graph_.callers(callee).end()) {
    return from(context->call, context->outer);
  }
  for (const Site& site : graph_.callers(callee)) from(site, nullptr);
}

}  // namespace

MemoryKind Origins::proved() const {
  if (unknown || all.empty()) return MemoryKind::kUnknown;
  for (const Origin& o : all) {
    if (o.memory != all.front().memory) return MemoryKind::kUnknown;
  }
  return all.front().memory;
}

bool Origins::has(MemoryKind kind) const {
  return std::any_of(all.begin(), all.end(), [&](const Origin& o) { return o.memory == kind; });
}

Origins Provenance::origins(const Value& value, const Reading& at, const Context* context) const {
  OriginSearch search(code_, flows_, graph_, false);
  search.follow(value, at, context);
  // Pages that some call registers, however it got the pointer: both origins are true, so neither is proved alone.
  std::vector<Origin>& all = search.found.all;
  for (size_t i = 0, count = all.size(); i < count; ++i) {
    if (all[i].memory == MemoryKind::kPageable && is_registered(all[i]))
      all.push_back({MemoryKind::kPinned, all[i].place, all[i].text});
  }
  return search.found;
}

bool Provenance::is_registered(const Origin& made) const {
  const auto place_of = [](const Origin& origin) {
    const Place& place = origin.place;
    return Made{place.file.str(), place.line, place.column, place.end_line, place.end_column};
  };
  if (!registered_) {
    registered_.emplace();
    for (int f = 0; f < code_.count(); ++f) {
      const auto& events = code_.function(f).events;
      for (int e = 0; e < static_cast<int>(events.size()); ++e) {
        const ApiFact* fact = events[e].kind == Event::Kind::kApi ? code_.api(events[e]) : nullptr;
        if (!fact || fact->registers_arg < 0 || fact->registers_arg >= static_cast<int>(events[e].args.size()))
          continue;
        OriginSearch search(code_, flows_, graph_, false);
        search.follow(events[e].args[fact->registers_arg].value, code_.reading({f, e}), nullptr);
        for (const Origin& origin : search.found.all) registered_->insert(place_of(origin));
      }
    }
  }
  return registered_->count(place_of(made)) != 0;
}

std::set<std::string> Provenance::function_values(const Value& value, int function) const {
  OriginSearch search(code_, flows_, graph_, true);
  search.follow(value, function, nullptr);
  if (!search.functions_under_key.empty()) return search.functions_under_key;
  if (!search.has_passed_by) return search.functions;
  // Nothing is stored under exactly this key, so a function may have computed another key from it: any key counts.
  OriginSearch of_any_key(code_, flows_, graph_, false);
  of_any_key.follow(value, function, nullptr);
  return of_any_key.functions;
}

std::optional<std::set<std::string>> Provenance::all_function_values(const Value& value, int function) const {
  OriginSearch search(code_, flows_, graph_, false);
  search.follow(value, function, nullptr);
  return search.found.unknown ? std::nullopt : std::optional(search.functions);
}

std::set<std::string> Provenance::functions_under_key(const Value& value, const Reading& at, facts::Text key) const {
  OriginSearch search(code_, flows_, graph_, true, key);
  search.follow(value, at, nullptr);
  return search.functions_under_key;
}

}  // namespace syncsniff::program
