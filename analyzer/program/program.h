// The linked facts of all units of one program: call graph, effects, origins of values, heat. Built once, then only
// read. Checks use this class and never look at units.
#pragma once

#include <vector>

#include "analyzer/program/element_share.h"
#include "analyzer/program/linked.h"
#include "analyzer/program/loops.h"
#include "analyzer/program/regions.h"
#include "analyzer/program/ways.h"

namespace syncsniff::program {

class Program {
 public:
  // What other programs of the project show about units that no main() reaches.
  struct LeftOver {
    bool beside_feeding = false;  // a main() of another program launches GPU work
    // Another unit puts tensors on the GPU, so this code, which names no device, may get such tensors.
    bool beside_cuda = false;
  };
  Program(const std::vector<const facts::UnitFacts*>& units, const ApiTable& apis, const Words& words,
          LeftOver left_over);

  // The functions that checks call most.
  const std::vector<const Function*>& functions() const { return code().functions(); }
  const Function& function(int i) const { return code().function(i); }
  const Event& event(Site site) const { return code().event(site); }
  const ApiFact* api(const Event& event) const { return code().api(event); }
  Reading reading(Site site) const { return code().reading(site); }
  bool inside(const Function& f, int region, int ancestor) const { return code().inside(f, region, ancestor); }
  // The region of the event, without blocks that are only braces.
  int block_of(Site site) const { return without_braces(function(site.function), event(site).region); }
  const std::vector<int>& callees(Site site) const { return graph().callees(site); }
  const std::vector<Site>& callers(int function) const { return graph().callers(function); }
  Effects effects_of(Site site) const { return effects().of(site); }
  Heat heat(Site site) const { return hotness_.heat(site); }
  Origins origins(const Value& value, const Reading& at, const Context* context = nullptr) const {
    return linked_.provenance.origins(value, at, context);
  }
  Devices devices(const Value& value, const Reading& at, const Context* context = nullptr) const {
    return linked_.devices.of(value, at, context);
  }

  const Code& code() const { return linked_.code; }
  const Flows& flows() const { return linked_.flows; }
  const Usage& usage() const { return linked_.usage; }
  const CallGraph& graph() const { return linked_.graph; }
  const EffectTable& effects() const { return linked_.effects; }
  const Wrappers& wrappers() const { return linked_.wrappers; }
  const WaitedTasks& tasks() const { return linked_.tasks; }
  const Callbacks& callbacks() const { return linked_.callbacks; }
  const ElementShare& share() const { return share_; }
  const Loops& loops() const { return loops_; }
  const Descent& descent() const { return descent_; }
  const Hotness& hotness() const { return hotness_; }
  const Ways& ways() const { return ways_; }
  const Words& words() const { return words_; }

 private:
  // In the order in which they are built, each from those before it.
  const Words& words_;
  const Linked linked_;
  const ElementShare share_;
  const Loops loops_;
  const Descent descent_;
  const Hotness hotness_;
  const Ways ways_;
};

}  // namespace syncsniff::program
