#include "analyzer/program/grouping.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace syncsniff::program {

namespace {

using facts::UnitFacts;
using facts::UnitOutline;

size_t common_path(const std::string& a, const std::string& b) {
  size_t slash = 0;
  for (size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) {
    if (a[i] == '/') slash = i;
  }
  return slash;
}

// Name (hash of a USR) -> units without a main(), in order.
using UnitsByName = std::unordered_map<uint64_t, std::vector<size_t>>;

class Grouping {
 public:
  explicit Grouping(const std::vector<UnitOutline>& outlines) : outlines_(outlines) {
    for (size_t u = 0; u < outlines.size(); ++u) {
      if (outlines[u].has_main) continue;  // a unit with a main() is linked with no other program
      for (const uint64_t name : outlines[u].defines) defining_[name].push_back(u);
      for (const uint64_t base : outlines[u].overrides) overriding_[base].push_back(u);
    }
  }

  std::vector<UnitGroup> run() {
    std::vector<UnitGroup> groups;
    std::vector<bool> used(outlines_.size());
    std::unordered_map<facts::Text, std::vector<size_t>> of_mains;  // source file or folder -> groups that have it
    for (size_t u = 0; u < outlines_.size(); ++u) {
      if (!outlines_[u].has_main) continue;
      std::vector<size_t> units = program_of(u);
      for (const size_t v : units) used[v] = true;
      for (const facts::Text place : places_of(units)) of_mains[place].push_back(groups.size());
      groups.push_back({std::move(units), false, false, {}});
    }
    std::vector<size_t> rest;
    for (size_t u = 0; u < outlines_.size(); ++u)
      if (!used[u]) rest.push_back(u);
    const bool names_cuda = std::any_of(outlines_.begin(), outlines_.end(),
                                        [](const UnitOutline& outline) { return outline.rest.mentions_cuda_device; });
    // A library whose programs are not in the database: all of its units, and the units with a main() that they share
    // code with.
    for (const std::vector<size_t>& library : apart(rest)) {
      for (const std::vector<size_t>& group : without_clashes(library)) {
        Linked linked(*this);
        for (const size_t u : group) linked.add(u);
        const std::vector<size_t>& units = linked.follow();
        std::set<size_t> beside;
        for (const facts::Text place : places_of(units)) {
          const auto found = of_mains.find(place);
          if (found != of_mains.end()) beside.insert(found->second.begin(), found->second.end());
        }
        groups.push_back({units, true, names_cuda, {beside.begin(), beside.end()}});
      }
    }
    return groups;
  }

 private:
  // The folders and source files of the units.
  std::unordered_set<facts::Text> places_of(const std::vector<size_t>& units) const {
    std::unordered_set<facts::Text> places;
    for (const size_t u : units) {
      const UnitFacts& unit = outlines_[u].rest;
      places.insert(unit.file.substr(0, unit.file.rfind('/') + 1));
      for (const facts::SourceContent& source : unit.sources) places.insert(source.file);
    }
    return places;
  }

  // Splits the units into libraries: two units belong together if they share a folder, a header or a name.
  std::vector<std::vector<size_t>> apart(const std::vector<size_t>& units) const {
    std::vector<size_t> joined_to(outlines_.size());
    std::iota(joined_to.begin(), joined_to.end(), size_t{0});
    const auto first_of = [&](size_t u) {
      while (joined_to[u] != u) u = joined_to[u] = joined_to[joined_to[u]];
      return u;
    };
    const auto join = [&](size_t u, size_t v) {
      const size_t a = first_of(u), b = first_of(v);
      joined_to[std::max(a, b)] = std::min(a, b);
    };
    std::unordered_map<facts::Text, size_t> at_place;
    std::vector<bool> is_one(outlines_.size());
    for (const size_t u : units) {
      is_one[u] = true;
      for (const facts::Text place : places_of({u})) join(u, at_place.try_emplace(place, u).first->second);
    }
    for (const size_t u : units) {
      for (const uint64_t name : outlines_[u].mentions) {
        const auto found = defining_.find(name);
        if (found == defining_.end() || std::binary_search(found->second.begin(), found->second.end(), u)) continue;
        for (const size_t v : found->second)
          if (is_one[v]) join(u, v);
      }
    }
    std::map<size_t, std::vector<size_t>> parts;
    for (const size_t u : units) parts[first_of(u)].push_back(u);
    std::vector<std::vector<size_t>> out;
    for (auto& [first, part] : parts) out.push_back(std::move(part));
    return out;
  }

  // Units that are linked together, and the names that they define.
  class Linked {
   public:
    explicit Linked(const Grouping& all) : all_(all), in_(all.outlines_.size()) {}

    void add(size_t u) {
      if (in_[u]) return;
      in_[u] = true;
      order_.push_back(u);
      const std::vector<uint64_t>& names = all_.outlines_[u].defines;
      defined_.insert(names.begin(), names.end());
    }

    // Adds the units that define what these units mention and do not define; returns all of them.
    const std::vector<size_t>& follow() {
      for (; followed_ < order_.size(); ++followed_) {
        for (const uint64_t name : all_.outlines_[order_[followed_]].mentions) {
          // A name that these units also define (a header's inline function) needs no other unit.
          if (defined_.count(name)) continue;
          const auto found = all_.defining_.find(name);
          if (found != all_.defining_.end()) add(nearest(found->second, order_[followed_]));
        }
      }
      return order_;
    }

   private:
    // If several units define a name, they belong to different programs; the nearest in the directory tree is linked.
    size_t nearest(const std::vector<size_t>& units, size_t to) const {
      size_t best = units.front(), longest = 0;
      for (const size_t u : units) {
        const size_t common = common_path(all_.outlines_[u].rest.file, all_.outlines_[to].rest.file) + 1;
        if (common > longest) best = u, longest = common;
      }
      return best;
    }

    const Grouping& all_;
    std::vector<bool> in_;
    std::vector<size_t> order_;
    std::unordered_set<uint64_t> defined_;
    size_t followed_ = 0;  // of `order_`
  };

  // Overriders of virtual functions, and functions stored under a key, are not mentioned by their callers. So units
  // that override a called function, or store a function under a key that is looked up, are added.
  std::vector<size_t> program_of(size_t root) const {
    Linked linked(*this);
    linked.add(root);
    // Units that were added call others in turn.
    for (size_t searched = 0; searched < linked.follow().size();) {
      std::vector<size_t> overriders;
      for (; searched < linked.follow().size(); ++searched) {
        for (const uint64_t name : outlines_[linked.follow()[searched]].mentions) {
          const auto found = overriding_.find(name);
          if (found != overriding_.end())
            overriders.insert(overriders.end(), found->second.begin(), found->second.end());
        }
      }
      std::sort(overriders.begin(), overriders.end());
      for (const size_t u : overriders) {
        linked.add(u);
        linked.follow();
      }
    }
    return linked.follow();
  }

  // Units that define the same function cannot be linked together, so they are put into different groups.
  std::vector<std::vector<size_t>> without_clashes(const std::vector<size_t>& rest) const {
    struct Group {
      std::vector<size_t> units;
      std::unordered_set<uint64_t> defined;
    };
    std::vector<Group> groups;
    for (const size_t u : rest) {
      const std::vector<uint64_t>& defines = outlines_[u].own;
      Group* best = nullptr;
      size_t longest = 0;
      for (Group& group : groups) {
        const size_t common = common_path(outlines_[group.units.front()].rest.file, outlines_[u].rest.file) + 1;
        if (common <= longest) continue;
        const bool clash = std::any_of(defines.begin(), defines.end(),
                                       [&](const uint64_t name) { return group.defined.count(name) != 0; });
        if (!clash) best = &group, longest = common;
      }
      if (!best) best = &groups.emplace_back();
      best->units.push_back(u);
      best->defined.insert(defines.begin(), defines.end());
    }
    std::vector<std::vector<size_t>> out;
    for (Group& group : groups) out.push_back(std::move(group.units));
    return out;
  }

  const std::vector<UnitOutline>& outlines_;
  UnitsByName defining_, overriding_;
};

}  // namespace

std::vector<UnitGroup> group_units(const std::vector<UnitOutline>& outlines) { return Grouping(outlines).run(); }

bool is_of_interest(const UnitGroup& group, const std::vector<bool>& of_interest) {
  return std::any_of(group.units.begin(), group.units.end(), [&](size_t u) { return of_interest[u]; });
}

std::vector<bool> units_needed(const std::vector<UnitGroup>& groups, const std::vector<bool>& of_interest) {
  std::vector<bool> needed(of_interest.size());
  for (const UnitGroup& group : groups) {
    if (!is_of_interest(group, of_interest)) continue;
    for (const size_t u : group.units) needed[u] = true;
    for (const size_t main : group.beside)
      for (const size_t u : groups[main].units) needed[u] = true;
  }
  return needed;
}

}  // namespace syncsniff::program
