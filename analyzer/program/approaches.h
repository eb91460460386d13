// The calls that lead to a function, directly or through others, and which of them are hot. There are far more call
// paths than calls, so only one path is kept for each call: the hottest one from it to the function.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/program/hotness.h"

namespace syncsniff::program {

struct Approach {
  // Where a call leads: `function` is the function it calls. If the call passes a callback, `function` is the callback,
  // and `inside` is the call in the called function that runs it.
  struct Lead {
    int function;
    Site inside;  // function -1: the call calls `function` itself
  };
  std::map<int, Site> next;     // function -> its call on the hottest path
  std::map<Site, Lead> into;    // by call: where it leads
  std::vector<Site> hot_calls;  // calls in the hot loop first, then deeper ones
  // By call: its index among the hot calls with the same text in functions of the same name.
  std::map<Site, int> ordinals;
  std::set<Site> in_loop;  // hot calls that are in the hot loop itself

  // Appends `call` and the hottest path from it to a call of `function`. Returns false if there is none.
  bool lead_on(Site call, int function, std::vector<Site>& calls) const;
};

class Approaches {
 public:
  static constexpr int kMostCallsDeep = 64;

  Approaches(const Linked& linked, const Descent& descent, const Hotness& hotness)
      : code_(linked.code), graph_(linked.graph), callbacks_(linked.callbacks), descent_(descent), hotness_(hotness) {}

  const Approach& to(int function, int region) const;
  // Whether to() may examine `more` further calls. Once the limit is reached, the result of to() depends on earlier
  // queries.
  bool may_approach(size_t more) const;
  size_t calls_approached() const { return calls_approached_; }

 private:
  struct CallHeat {
    int lost = 0;                       // severity levels below high, lost to the conditions around the call
    bool hot = false, in_loop = false;  // in_loop: in the hot loop itself
    int depth = 0;
  };
  const CallHeat& call_heat(Site call) const;
  std::shared_ptr<Approach> find(int function, int region) const;
  void find_hot_calls(Approach& approach) const;

  const Code& code_;
  const CallGraph& graph_;
  const Callbacks& callbacks_;
  const Descent& descent_;
  const Hotness& hotness_;
  mutable std::map<std::pair<int, int>, std::shared_ptr<Approach>> approaches_;
  mutable std::map<Site, CallHeat> call_heats_;
  mutable size_t calls_approached_ = 0;
};

}  // namespace syncsniff::program
