#include "analyzer/program/adding.h"

#include <algorithm>
#include <vector>

#include "analyzer/program/regions.h"

namespace syncsniff::program {

Adding::Lists Adding::lists_of(int function, int region) const {
  const Function& f = code_.function(function);
  Lists made, lists, holding;
  std::multimap<std::string, std::string> added;  // object -> the list to which it is added
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (!code_.inside(f, event.region, region) || is_off(f, event.region)) continue;
    if (takes_element(event)) return {};
    if (adds_element(event)) {
      lists.insert(event.object.node);
      added.emplace(event.object.node, event.object.node);  // emplace_back(n) constructs the object inside the list
      for (const Value& arg : facts::values(event.args)) added.emplace(arg.node, event.object.node);
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
    for (int callee : to) {
      const Lists& fields = fields_of(callee);
      if (fields.empty()) return {};
      lists.insert(fields.begin(), fields.end());
      holding.insert(fields.begin(), fields.end());
      for (const std::string& field : fields) added.emplace(field, field);
    }
  }
  for (const std::string& object : made) {
    const auto [first, last] = added.equal_range(object);
    if (first == last) return {};
    for (auto it = first; it != last; ++it) holding.insert(it->second);
  }
  return holding;
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
