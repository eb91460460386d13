// Which units make one program. A database does not say what is linked with what; a main() and what it reaches do.
#include <algorithm>
#include <unordered_set>

#include "analyzer/program/program.h"
#include "analyzer/program/questions.h"

namespace syncsniff::program {

namespace {

using facts::UnitFacts;

struct Definitions {
  facts::TextMap<std::vector<size_t>> units_of;  // external function or method -> defining units
};

bool has_main(const UnitFacts& unit) {
  for (const Function& f : unit.functions) {
    if (f.is_main) return true;
  }
  return false;
}

using Mentions = std::unordered_set<facts::Text>;

void add_mentions(const Value& value, Mentions& out) {
  if (value.kind == Value::Kind::kFunction) out.insert(value.node);
  for (const Value& v : value.operands) add_mentions(v, out);
}

// Every function that a unit calls, overrides or takes the address of.
Mentions mentioned(const UnitFacts& unit) {
  Mentions out;
  for (const Function& f : unit.functions) {
    for (const Event& e : f.events) {
      if (!e.callee.empty()) out.insert(e.callee);
      add_mentions(e.object, out);
      for (const Value& v : e.args) add_mentions(v, out);
    }
  }
  for (const Flow& flow : unit.flows) add_mentions(flow.value, out);
  return out;
}

size_t common_path(const std::string& a, const std::string& b) {
  size_t slash = 0;
  for (size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) {
    if (a[i] == '/') slash = i;
  }
  return slash;
}

std::vector<std::vector<size_t>> without_clashes(const std::vector<UnitFacts>& units, const std::vector<size_t>& rest) {
  struct Group {
    std::vector<size_t> units;
    facts::TextSet defined;
  };
  std::vector<Group> groups;
  for (size_t u : rest) {
    std::vector<facts::Text> defines;
    for (const Function& f : units[u].functions) {
      if (f.place.file == units[u].file && !f.is_static_or_local) defines.push_back(f.usr);
    }
    Group* best = nullptr;
    size_t longest = 0;
    for (Group& group : groups) {
      bool clash = false;
      for (const facts::Text usr : defines) clash |= group.defined.count(usr) != 0;
      const size_t common = common_path(units[group.units.front()].file, units[u].file) + 1;
      if (!clash && common > longest) best = &group, longest = common;
    }
    if (!best) best = &groups.emplace_back();
    best->units.push_back(u);
    best->defined.insert(defines.begin(), defines.end());
  }
  std::vector<std::vector<size_t>> out;
  for (Group& group : groups) out.push_back(std::move(group.units));
  return out;
}

bool same_runs(const Function& a, const Function& b) {
  return std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(),
                    [](const Event& x, const Event& y) { return x.run == y.run && x.position == y.position; });
}

// A header's function may be parted by plain code in one unit and not in another, which has other macros or another
// function of that name: then it is not. Of a unit with errors Clang drops statements.
void agree_on_runs(std::vector<UnitFacts>& units) {
  struct Copies {
    std::vector<Function*> all;
    bool broken = false;  // one is of a unit with errors
  };
  facts::TextMap<Copies> by_usr;
  for (UnitFacts& unit : units) {
    for (Function& f : unit.functions) {
      Copies& copies = by_usr[f.usr];
      copies.all.push_back(&f);
      copies.broken |= unit.error_count != 0;
    }
  }
  for (auto& [usr, copies] : by_usr) {
    const Function& first = *copies.all.front();
    if (!copies.broken &&
        std::all_of(copies.all.begin(), copies.all.end(), [&](const Function* f) { return same_runs(*f, first); }))
      continue;
    for (Function* f : copies.all) {
      // Only where it changes something: a page that is written to is copied, since the facts are the parent's.
      for (Event& event : f->events)
        if (event.run != 0) event.run = 0;
    }
  }
}

}  // namespace

std::vector<Parts> find_programs(std::vector<UnitFacts>& units) {
  answer_questions(units);
  agree_on_runs(units);
  Definitions definitions;
  std::vector<Mentions> mentions;
  std::vector<bool> is_root(units.size());
  for (size_t u = 0; u < units.size(); ++u) {
    is_root[u] = has_main(units[u]);
    mentions.push_back(mentioned(units[u]));
    for (const Function& f : units[u].functions) definitions.units_of[f.usr].push_back(u);
  }
  const auto reach = [&](size_t root) {
    std::vector<size_t> order{root};
    facts::TextSet here;  // what the units in `order` define
    const auto define = [&](size_t u) {
      for (const Function& f : units[u].functions) here.insert(f.usr);
    };
    define(root);
    for (size_t i = 0; i < order.size(); ++i) {
      for (const facts::Text usr : mentions[order[i]]) {
        // Defined here too (a header's inline function): this copy is the one that runs.
        if (here.count(usr) != 0) continue;
        auto found = definitions.units_of.find(usr);
        if (found == definitions.units_of.end()) continue;
        // Several define it: two programs with the same names. The nearest in the tree is the one that is linked.
        size_t best = units.size(), longest = 0;
        for (size_t u : found->second) {
          const size_t common = common_path(units[u].file, units[order[i]].file) + 1;
          if (!is_root[u] && common > longest) best = u, longest = common;
        }
        // Not in `order` yet: what it defines is not here.
        if (best == units.size()) continue;
        order.push_back(best);
        define(best);
      }
    }
    return order;
  };
  // Virtual functions' overriders are named by nobody: units that override something reached come along.
  const auto with_overriders = [&](std::vector<size_t> order) {
    std::unordered_set<size_t> in(order.begin(), order.end());
    Mentions called;
    for (size_t u : order) called.insert(mentions[u].begin(), mentions[u].end());
    for (size_t u = 0; u < units.size(); ++u) {
      if (in.count(u) || is_root[u]) continue;
      for (const Function& f : units[u].functions) {
        bool overrides = false;
        for (const facts::Text base : f.overrides) overrides |= called.count(base) != 0;
        if (!overrides) continue;
        for (size_t v : reach(u)) {
          if (!is_root[v] && in.insert(v).second) order.push_back(v);
        }
        break;
      }
    }
    return order;
  };
  std::vector<Parts> programs;
  std::vector<bool> used(units.size());
  const bool names_cuda =
      std::any_of(units.begin(), units.end(), [](const UnitFacts& unit) { return unit.mentions_cuda_device; });
  const auto add = [&](const std::vector<size_t>& order, bool left_over) {
    Parts parts{{}, left_over, left_over && names_cuda};
    for (size_t u : order) {
      parts.units.push_back(&units[u]);
      used[u] = true;
    }
    if (!parts.units.empty()) programs.push_back(std::move(parts));
  };
  for (size_t u = 0; u < units.size(); ++u) {
    if (is_root[u]) add(with_overriders(reach(u)), false);
  }
  std::vector<size_t> rest;
  for (size_t u = 0; u < units.size(); ++u) {
    if (!used[u]) rest.push_back(u);
  }
  // A library without its programs: all of it, with what it shares with them; units that define the same function
  // cannot be linked together, so they come apart.
  for (const std::vector<size_t>& group : without_clashes(units, rest)) {
    std::unordered_set<size_t> in(group.begin(), group.end());
    std::vector<size_t> order = group;
    for (size_t u : group) {
      for (size_t v : reach(u)) {
        if (!is_root[v] && in.insert(v).second) order.push_back(v);
      }
    }
    add(order, true);
  }
  return programs;
}

std::unique_ptr<Program> link(const Parts& parts, const ApiTable& apis, const Words& words,
                              const std::vector<std::unique_ptr<Program>>& before) {
  const bool fed = parts.left_over &&
                   std::any_of(before.begin(), before.end(), [](const auto& program) { return program->main_feeds(); });
  return std::make_unique<Program>(parts.units, apis, words, Program::LeftOver{fed, parts.beside_cuda});
}

std::vector<std::unique_ptr<Program>> link_programs(std::vector<UnitFacts>& units, const ApiTable& apis,
                                                    const Words& words) {
  std::vector<std::unique_ptr<Program>> programs;
  for (const Parts& parts : find_programs(units)) programs.push_back(link(parts, apis, words, programs));
  return programs;
}

}  // namespace syncsniff::program
