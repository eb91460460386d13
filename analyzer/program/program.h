// The facts of all units of one program, linked: call graph, effects, where values come from, what runs every step.
// Built once, then only read; checks ask it questions and never look at units.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/frequency/rate.h"
#include "analyzer/program/call_graph.h"
#include "analyzer/program/device_memory.h"
#include "analyzer/program/devices.h"
#include "analyzer/program/effects.h"
#include "analyzer/program/flows.h"
#include "analyzer/program/provenance.h"
#include "analyzer/program/usage.h"
#include "analyzer/program/waited_tasks.h"
#include "analyzer/program/wrappers.h"
#include "rules/finding.h"
#include "rules/words.h"

namespace syncsniff::program {

// How often a place runs, seen from the outermost loop that launches GPU work.
struct Heat : frequency::Rate {
  // What makes the place run again and again: a loop, a function that calls itself, or somebody out of sight who calls
  // a function that nobody here calls.
  enum class By : uint8_t { kLoop, kRecursion, kEachCall };
  bool reached = false;
  bool hot = false;
  bool from_main = false;
  bool conditional = false;                  // behind a condition inside the loop
  bool checks_only = false;                  // its loop does no training, and the program trains elsewhere
  bool of_worker = false;                    // on a thread that the loop waits for
  bool beside_trainer = false;               // on a thread that runs a network while another one trains
  bool between_epochs = false;               // in a loop over epochs, outside the loop over its batches
  bool between_runs = false;                 // in a loop around a solver's (runs.cpp), outside the solver's own
  int depth = 0;                             // calls between the loop and here
  Site caller;                               // the call this heat came through; function -1: none
  Site handed_by;                            // where `caller` calls a parameter: the call that hands this function over
  int loop_function = -1, loop_region = -1;  // of By::kRecursion and By::kEachCall: the function, and region 0
  By by = By::kLoop;
  const std::string* called = nullptr;  // the name of that function
  long score() const;
};

// One way to a hot place: calls, and the heat of the place when it is reached by them.
struct Way {
  std::vector<Site> calls;    // outermost first, from where the program starts as far as that is known
  std::vector<int> ordinals;  // of each call among the hot ones of the same text in functions of the same name
  size_t hot = 0;             // calls[hot] stands in the loop that makes the place hot; calls.size(): the place does
  size_t told = 0;            // calls[told] is the call that this way is listed for; calls.size(): the place itself
  Heat heat;
};

class ElementShare;

class Program {
 public:
  // What the rest of the project tells of units that no main() reaches.
  struct LeftOver {
    bool beside_feeding = false;  // a main() of another program launches GPU work
    bool beside_cuda = false;  // another unit puts tensors on the GPU: this code, which names no device, may meet them
  };
  Program(std::vector<const facts::UnitFacts*> units, const ApiTable& apis, const Words& words, LeftOver left_over);

  const std::vector<const Function*>& functions() const { return code_.functions(); }
  const Function& function(int i) const { return code_.function(i); }
  const Event& event(Site s) const { return code_.event(s); }
  const Words& words() const { return words_; }
  const ApiFact* api(const Event& e) const { return code_.api(e); }
  bool inside(const Function& f, int region, int ancestor) const { return code_.inside(f, region, ancestor); }
  Reading reading(Site site) const { return code_.reading(site); }
  const Code& code() const { return code_; }
  const Usage& usage() const { return usage_; }
  const CallGraph& graph() const { return graph_; }
  const Flows& flows() const { return flows_; }
  const Provenance& provenance() const { return provenance_; }
  const EffectTable& effects() const { return effects_; }
  const WaitedTasks& tasks() const { return tasks_; }

  const std::vector<int>& callees(Site site) const { return graph_.callees(site); }
  const std::vector<Site>& callers(int function) const { return graph_.callers(function); }
  Effects effects_of(Site site) const { return effects_.of(site); }
  bool is_wrapper(int function) const { return wrappers_.is_wrapper(function); }
  Origins origins(const Value& value, const Reading& at, const Context* context = nullptr) const {
    return provenance_.origins(value, at, context);
  }
  Devices devices(const Value& value, const Reading& at, const Context* context = nullptr) const {
    return devices_.of(value, at, context);
  }

  // hotness.cpp
  Heat heat(int function, int region) const;
  // The heat of a place in a function that is entered with `heat`: its gates and loops passed.
  Heat descend(Heat heat, int function, int region) const;
  // The calls that hand `callee` to the function of `call`, which runs it there. Empty: `call` is no call of a
  // parameter.
  const std::vector<Site>& calls_handing_over(Site call, int callee) const;
  bool runs_callback(Site call, int callee) const { return !calls_handing_over(call, callee).empty(); }
  // The call that the function's hottest way in comes through; function -1: none.
  Site hottest_caller(int function) const { return heat_in_[function].caller; }
  // Main reaches a loop that launches GPU work and is no recursion's.
  bool main_feeds() const { return main_feeds_; }
  bool region_launches(int function, int region) const { return region_launches_[function][region]; }
  Heat heat(Site site) const { return heat(site.function, event(site).region); }

  // filling.cpp
  // What calls in loops do on the GPU for one element; it remembers what it has read of the program's functions.
  ElementShare& share() const;

  // ways.cpp
  // The calls of the hottest way to a function, outermost first.
  std::vector<Site> hottest_calls(int function) const;
  // From the hot loop to the place, for people. `calls` as in Way.
  std::vector<PathStep> path(Site site, const std::vector<Site>& calls, const Heat& heat) const;
  std::vector<PathStep> path(Site site, const Heat& heat) const;
  // Whether ways() may look at so many calls more. Beyond, what it finds depends on what it was asked before.
  bool may_approach(size_t more) const;
  size_t calls_approached() const { return calls_approached_; }
  // The hottest way to a place, whose heat is known, and one for each further call by which the place is hot: together
  // they pass every such call. `region`: of the place's function, where its heat is taken.
  // At most `most` of them. None where the calls' arguments turn the place off on every way.
  std::vector<Way> ways(Site place, int region, const Heat& hottest, size_t most) const;

 private:
  void compute_heat();
  bool learns_around(int function, int region) const;
  void pass_function_name(Heat& heat, int function) const;
  bool runs_each_step(const Heat& heat) const;
  bool runs_layer(int function, int region) const;
  bool looks_like_steps(const Region& loop, bool by_name) const;
  bool builds(int function, int region) const;
  bool makes_object(Site site, int region) const;
  bool keeps_result(Site site, int region) const;
  bool visits_parts(int function, int region) const;
  bool recurs_over_rows(int function, int region) const;
  bool any_feeding_loop(const std::function<bool(int function, int region)>& counts) const;
  bool feeds_itself() const;
  Heat settle(Heat heat) const;
  struct Approach;
  const Approach& approach(int function, int region) const;
  std::shared_ptr<Approach> find_approach(int function, int region) const;
  bool excluded(const Way& way, int function, int region) const;
  bool every_caller_excludes(int function, int region) const;
  void find_hot_calls(Approach& approach) const;
  struct CallHeat {
    int lost = 0;                       // of a high severity, by the conditions around the call
    bool hot = false, in_loop = false;  // in_loop: in the hot loop itself
    int depth = 0;
  };
  const CallHeat& call_heat(Site call) const;
  static bool lead_on(const Approach& known, Site call, int function, std::vector<Site>& calls);
  Heat heat_along(const std::vector<Site>& calls, size_t from, int function, int region) const;
  void run_by(Heat& heat, Heat::By by, int function) const;
  void find_recursion();
  bool nobody_calls(int function) const;
  void lower_dead_code(Heat& heat, int function, Severity most) const;
  bool moves_content(int function) const;
  bool goes_on(int function, int region) const;
  void find_runs();
  bool is_around_runs(int function, int region) const;
  bool goes_deeper(Site call) const;
  struct Entries;
  void find_taken();
  std::vector<int> entries(const std::set<int>& threads);
  const std::vector<Site>& handed_over(int function) const;
  bool is_handed_over_outside_loops(int job) const;
  void drop_where_handed_over(int function, Heat& heat) const;
  void find_step_loops();
  bool leads_to_update(Site site) const;
  bool is_epoch_loop(int function, int region) const;
  bool looks_like_epoch_loop(int function, int region) const;
  // As far as the code shows: an optimizer steps in a loop inside, or a loop inside makes many iterations.
  bool holds_steps(int function, int region, bool by_name) const;
  bool repeats_steps(int function, int region, bool by_name, int depth = 0) const;
  bool callee_repeats_steps(int function, bool by_name, int depth) const;
  void find_learning();
  void find_callbacks();
  bool times_callbacks(int function, int region) const;
  void find_callbacks_of(Site inside, int parameter);
  Heat heat_through(Heat heat, Site call, int callee) const;
  bool learns_in(int function, int region) const;
  bool beside_training(const Heat& heat) const;
  bool repeats(int function, int region) const;
  bool is_training_loop(int function, int region) const;
  bool holds_training_loop(int function) const;
  bool trains_behind(Site site) const;
  bool fills_before_training(int function, int region) const;
  bool is_brief(int function, int region) const;
  bool takes_time(Site site, int depth) const;
  bool shows_kernels(Site site, int depth) const;
  bool tries_few(int function, int region) const;
  bool repeats_itself(int function, int region) const;
  bool repeats_for_timing(int function, int region) const;
  bool calls_itself(int function, int region) const;

  const Words& words_;
  const Words no_words_;
  const Code code_;
  const Flows flows_;
  const Usage usage_;
  CallGraph graph_;
  const Provenance provenance_;
  TensorDevices devices_;
  EffectTable effects_;
  const WaitedTasks tasks_;  // adds to the graph and to the effects
  const Wrappers wrappers_;
  struct Callback {
    Site inside;  // the call of the parameter
    int function;
  };
  std::map<Site, std::vector<Callback>> callbacks_;  // callbacks.cpp: what a call hands to the function it calls
  std::map<std::pair<Site, int>, std::vector<Site>> handing_calls_;  // of the call of a parameter and what it runs
  std::vector<Heat> heat_in_;
  bool heat_is_known_ = false;                         // all of heat_in_
  mutable std::map<std::pair<int, int>, Heat> heats_;  // of regions, which every check asks for again
  std::vector<std::vector<bool>> region_launches_;
  std::vector<std::vector<bool>> brief_;  // setup.cpp: loops over the devices, warm-ups
  bool left_over_ = false;
  bool main_feeds_ = false;
  bool loops_outside_constructors_ = false;  // that launch GPU work and are no set-up
  std::vector<bool> moves_;                  // growing.cpp: moves what memory holds to a larger place
  std::vector<bool> runs_;                   // runs.cpp: holds a solver's loop, here or in what it calls
  std::vector<std::vector<bool>> holds_runs_;
  std::vector<bool> recursive_;             // recursion.cpp: in a cycle of calls that launches GPU work
  std::vector<bool> taken_;                 // entries.cpp: its address is kept, or given to code out of sight
  std::set<int> whole_jobs_;                // entries.cpp: from the caller's host memory to the caller's host memory
  // epochs.cpp: loops that an optimizer steps in, or that hold such a loop; functions that call an optimizer's step
  // outside of any loop, or hold such a loop.
  std::vector<std::vector<bool>> steps_, holds_steps_;
  std::vector<bool> updates_, trains_;
  std::vector<bool> learns_;         // setup.cpp: holds a backward or an optimizer's step, directly or through calls
  std::optional<MemoryMakers> makers_;
  std::vector<bool> builds_;  // setup.cpp: holds a loop that makes what the GPU works on
  mutable std::map<std::pair<int, int>, std::shared_ptr<Approach>>
      approaches_;  // ways.cpp: how a function is reached by hot calls
  mutable std::map<Site, CallHeat> call_heats_;
  mutable size_t calls_approached_ = 0;
  mutable bool handed_over_is_known_ = false;
  mutable std::map<int, std::vector<Site>> handed_over_;  // threads.cpp: the calls that are given a function
  // Answers that every place in a loop asks for again: whether the loop is one over epochs, learns, (of a function and
  // a depth of calls) goes through steps, or is a recurrence over rows.
  mutable std::map<std::pair<int, int>, bool> epoch_loops_, learning_loops_, repeating_callees_, recurrences_,
      timing_loops_, timed_repeats_, fills_before_, layers_in_;
  mutable std::map<int, bool> training_;  // filling.cpp: holds a loop that goes on from iteration to iteration
  mutable std::shared_ptr<ElementShare> share_;
};

// What is linked together.
struct Parts {
  std::vector<const facts::UnitFacts*> units;
  bool left_over = false;    // no main() reaches them
  bool beside_cuda = false;  // left over, and some unit of the project puts tensors on the GPU
  std::vector<size_t> beside;  // see UnitGroup: numbers of parts
  bool of_interest = true;     // some unit is
};
// Answers what the units ask each other (questions.h), and groups them (grouping.h). `of_interest`: one a unit; empty:
// all are.
std::vector<Parts> find_programs(std::vector<facts::UnitFacts>& units, const std::vector<bool>& of_interest = {});
// `before`: the programs of the parts before it, of which those that it is beside are linked.
std::unique_ptr<Program> link(const Parts& parts, const ApiTable& apis, const Words& words,
                              const std::vector<std::unique_ptr<Program>>& before);
// Both.
std::vector<std::unique_ptr<Program>> link_programs(std::vector<facts::UnitFacts>& units, const ApiTable& apis,
                                                    const Words& words);

}  // namespace syncsniff::program
