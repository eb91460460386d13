// The calls that lead to a function, directly or through others, and which of them are hot. Ways are many more than
// calls, so that one way is kept for each call: the hottest from it to the function.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/program/hotness.h"

namespace syncsniff::program {

struct Approach {
  // What a call leads into: the function it calls or, where it hands over a callback, the callback and the call that
  // runs it, which stands in the called function.
  struct Lead {
    int function;
    Site inside;  // function -1: the call calls `function` itself
  };
  std::map<int, Site> next;      // function -> its call that leads on, by the hottest way
  std::map<Site, Lead> into;     // of each call that leads on
  std::vector<Site> hot_calls;   // those in the hot loop first, then the deeper ones
  std::map<Site, int> ordinals;  // of each among the hot ones of the same text in functions of the same name
  std::set<Site> in_loop;        // hot calls that stand in the hot loop itself

  // Adds `call`, and the hottest way from it to a call of `function`.
  bool lead_on(Site call, int function, std::vector<Site>& calls) const;
};

class Approaches {
 public:
  static constexpr int kMostCallsDeep = 64;

  Approaches(const Linked& linked, const Descent& descent, const Hotness& hotness)
      : code_(linked.code), graph_(linked.graph), callbacks_(linked.callbacks), descent_(descent), hotness_(hotness) {}

  const Approach& to(int function, int region) const;
  // Whether to() may look at so many calls more. Beyond, what it finds depends on what it was asked before.
  bool may_approach(size_t more) const;
  size_t calls_approached() const { return calls_approached_; }

 private:
  struct CallHeat {
    int lost = 0;                       // of a high severity, by the conditions around the call
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
