#include "analyzer/program/adding.h"

#include <algorithm>

#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

using Added = std::multimap<std::string, std::string>;  // object -> the list to which it is added

void note_added(const Event& event, Added& added) {
  added.emplace(event.object.node, event.object.node);  // emplace_back(n) constructs the object inside the list
  for (const Value& arg : facts::values(event.args)) added.emplace(arg.node, event.object.node);
}

void note_lists(const std::set<std::string>& lists, Added& added) {
  for (const std::string& list : lists) added.emplace(list, list);
}

// Adds the lists that hold the objects to `holding`; false if no list holds one of them.
bool add_lists_with(const std::set<std::string>& objects, const Added& added, std::set<std::string>& holding) {
  for (const std::string& object : objects) {
    const auto [first, last] = added.equal_range(object);
    if (first == last) return false;
    for (auto it = first; it != last; ++it) holding.insert(it->second);
  }
  return true;
}

}  // namespace

Adding::Lists Adding::lists_of(int function, int region) const {
  const Function& f = code_.function(function);
  Lists made, lists, holding;
  Added added;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (!code_.inside(f, event.region, region) || is_off(f, event.region)) continue;
    if (takes_element(event)) return {};
    if (adds_element(event)) {
      lists.insert(event.object.node);
      note_added(event, added);
    }
    if (!effects_.of({function, e}).enqueues) continue;
    const std::vector<int>& to = graph_.callees({function, e});
    if (to.empty()) return {};
    if (graph_.constructs({function, e})) {
      if (event.into.empty()) return {};
      made.insert(event.into);
      continue;
    }
    const std::string on = event.object.node;
    if (works_ && !on.empty() && (made.count(on) || lists.count(on))) continue;
    const Lists fields = fields_of_all(to);
    if (fields.empty()) return {};
    lists.insert(fields.begin(), fields.end());
    holding.insert(fields.begin(), fields.end());
    note_lists(fields, added);
  }
  return add_lists_with(made, added, holding) ? holding : Lists{};
}

// The fields of all functions; none if one of them has none.
Adding::Lists Adding::fields_of_all(const std::vector<int>& functions) const {
  Lists all;
  for (int function : functions) {
    const Lists& fields = fields_of(function);
    if (fields.empty()) return {};
    all.insert(fields.begin(), fields.end());
  }
  return all;
}

// The fields to which the function adds objects: void add(int n) { layers_.push_back(std::make_unique<Layer>(n)); }
const Adding::Lists& Adding::fields_of(int function) const {
  const auto [known, fresh] = fields_.try_emplace(function);  // empty while a recursive function is read
  if (!fresh) return known->second;
  Lists lists = lists_of(function, 0);
  const auto is_field = [](const std::string& list) { return list.starts_with("f:"); };
  if (!std::all_of(lists.begin(), lists.end(), is_field)) lists.clear();
  return fields_[function] = std::move(lists);
}

}  // namespace syncsniff::program
