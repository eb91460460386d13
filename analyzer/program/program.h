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

#include "analyzer/facts/facts.h"
#include "analyzer/frequency/rate.h"
#include "rules/finding.h"
#include "rules/words.h"

namespace syncsniff::program {

using facts::Event;
using facts::Flow;
using facts::Function;
using facts::Gate;
using facts::Place;
using facts::Region;
using facts::Value;

// A place in the program where something happens: event `event` of function `function`.
struct Site {
  int function = -1;
  int event = -1;
  bool operator<(const Site& o) const { return function != o.function ? function < o.function : event < o.event; }
  bool operator==(const Site& o) const { return function == o.function && event == o.event; }
};

// How a function was reached, innermost call first: parameters mean that call's arguments.
struct Context {
  Site call;
  const Context* outer = nullptr;
};

// Where a variable is read: which of a local variable's assignments count there (reaching.cpp).
struct Reading {
  int function = -1;
  int order = -1;  // Event::order; -1: anywhere in the function
  int region = 0;
  Reading(int in_function) : function(in_function) {}
  Reading(int in_function, int at_order, int in_region) : function(in_function), order(at_order), region(in_region) {}
};

// One place that a pointer's memory was made.
struct Origin {
  MemoryKind memory = MemoryKind::kUnknown;
  Place place;
  std::string text;
};
struct Origins {
  std::vector<Origin> all;
  bool unknown = false;
  // The one kind that every origin has; kUnknown when they differ or one is not known.
  MemoryKind proved() const;
  bool has(MemoryKind kind) const;
};

// Where a tensor may live.
struct Devices {
  bool cpu = false, cuda = false, unknown = false, pinned = false;
  bool unnamed = false;  // options that name no device
  bool whole = false;    // on the CPU, and no single number: only tensors of the CPU can be computed with it
  bool unseen = false;   // code out of sight may have made it, from nothing that is on the GPU
};

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

struct Effects {
  bool launches = false;  // kernels, library kernels or tensor operations, directly or through calls
  bool enqueues = false;  // any GPU work, copies too
  bool waits = false;     // may block the host on the device
  bool unknown = false;   // calls what nobody here defines, or lets another thread or process go first

  Effects& operator|=(const Effects& other) {
    launches |= other.launches;
    enqueues |= other.enqueues;
    waits |= other.waits;
    unknown |= other.unknown;
    return *this;
  }
  bool operator==(const Effects&) const = default;
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

  const std::vector<const Function*>& functions() const { return functions_; }
  const Function& function(int i) const { return *functions_[i]; }
  const Event& event(Site s) const { return functions_[s.function]->events[s.event]; }
  const ApiTable& apis() const { return apis_; }
  const Words& words() const { return words_; }
  const ApiFact* api(const Event& e) const;
  // Every call of the tables' functions, in order. Most events are none.
  struct ApiCall {
    Site site;
    const ApiFact* fact;
  };
  const std::vector<ApiCall>& api_calls() const { return api_calls_; }
  bool uses_cuda_tensors() const { return uses_cuda_tensors_; }
  // Memory that host and device share is made somewhere in the program.
  bool uses_managed_memory() const { return uses_managed_memory_; }
  // Nobody in the program makes, is given or names a stream: all work is on the legacy default stream.
  bool only_legacy_stream() const { return only_legacy_stream_; }
  // Some unit is compiled with a default stream for each thread.
  bool per_thread_default_stream() const { return per_thread_default_stream_; }

  // callgraph.cpp
  const std::vector<int>& callees(Site site) const;
  const std::vector<Site>& callers(int function) const { return callers_[function]; }
  int find(facts::Text usr) const;

  // effects.cpp
  const Effects& effects(int function) const { return effects_[function]; }
  Effects effects_of(Site site) const;
  // Everything inside the region but what is seldom or never run there: error paths, lazy initialisation.
  const Effects& effects_of_region(int function, int region) const { return region_effects_[function][region]; }
  bool inside(const Function& f, int region, int ancestor) const;
  // The region of `callee` asks a parameter for a constant, and the call gives it another: by this call it never runs.
  bool excludes(Site call, int callee, int region) const;
  // A function that only hands its arguments to one blocking call: its callers are the place to report.
  bool is_wrapper(int function) const { return wrapper_[function]; }

  // reaching.cpp
  // The one assignment to a local variable that can have made what is read there; null when several can, or none is,
  // or when a lambda of the function makes it.
  const Flow* only_assignment(const std::string& node, const Reading& at) const;
  // What a function gives back, and where it reads it.
  std::vector<std::pair<const Flow*, Reading>> returned(int function) const;
  // Something is made from the variable's own value: another name for it, a result, a closure's copy.
  bool is_read_elsewhere(const std::string& node) const { return aliased_.count(node) != 0; }
  Reading reading(Site site) const { return {site.function, event(site).order, event(site).region}; }

  // provenance.cpp
  Origins origins(const Value& value, const Reading& at, const Context* context = nullptr) const;
  std::set<std::string> function_values(const Value& value, int function) const;
  // field_flows.cpp
  // What the field or variable `from` holds may be assigned to `into`, directly or through others and calls.
  bool may_come_from(facts::Text into, facts::Text from) const;
  // Functions that give a field another pointer or object.
  std::set<int> functions_that_assign_fields() const;
  // devices.cpp
  Devices devices(const Value& value, const Reading& at, const Context* context = nullptr) const;

  // Something is assigned to `node` in the function between the two places.
  bool written_between(const std::string& node, int function, const Place& from, const Place& to) const;

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
  // A loop that starts threads, one a device, and leaves the waiting to others.
  bool only_starts_threads(int function, int region) const { return fan_outs_.count({function, region}) != 0; }
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
  struct Search;
  void link_functions(const std::vector<const facts::UnitFacts*>& units);
  void link_flows(const std::vector<const facts::UnitFacts*>& units);
  void link_calls();
  void find_managed_memory();
  void find_region_ends();
  void find_tensor_work();
  void find_unknown();
  void compute_effects();
  void fill_region_effects(int function);
  void compute_wrappers();
  void find_streams(const std::vector<const facts::UnitFacts*>& units);
  bool looks_like_wrapper(int function) const;
  void compute_heat();
  bool learns_around(int function, int region) const;
  void pass_function_name(Heat& heat, int function) const;
  bool runs_each_step(const Heat& heat) const;
  bool runs_layer(int function, int region) const;
  bool looks_like_steps(const Region& loop, bool by_name) const;
  void find_makers();
  void find_fills();
  bool builds(int function, int region) const;
  bool keeps_memory(int function, int event) const;
  static bool is_constructor(const Function& f);
  bool makes_object(Site site, int region) const;
  bool keeps_result(Site site, int region) const;
  bool visits_parts(int function, int region) const;
  bool recurs_over_rows(int function, int region) const;
  std::set<int> thread_functions() const;
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
  bool link_waited_tasks();
  std::vector<Site> started_before(Site wait) const;
  bool overlaps(Site start, int wait) const;
  struct Signals;
  std::map<int, Site> waits_for_threads(const std::set<int>& threads) const;
  std::set<int> reached_from(int function) const;
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
  // callgraph.cpp, of each function: whether it is one of these or comes to one through calls; whether it holds such an
  // event, directly or through calls.
  std::vector<bool> with_callers(std::vector<bool> functions) const;
  std::vector<bool> functions_that_come_to(const std::function<bool(const Event&)>& test) const;
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
  struct LinkedFlow {
    const Flow* flow;
    int function;
    int order;  // in its unit
  };
  static constexpr int kMostParted = 64;  // beyond, a search takes every assignment to a variable
  struct Reaching {
    std::vector<const LinkedFlow*> flows;
    bool entry = true;                 // a parameter may still be what the caller gave
    const LinkedFlow* last = nullptr;  // the assignment that every way to the place passes
    std::string key;                   // tells what counts here from what counts elsewhere; empty: all of it
  };
  Reaching reaching(const std::string& node, const Reading& at) const;
  // What a search has looked at: a variable is another one where other assignments count, and in another context.
  struct Visits {
    std::set<std::string> seen;
    int parted = 0;  // variables told apart by where they are read
  };
  // The assignments that count here; nothing where the search has been here before.
  std::optional<Reaching> visit(const std::string& node, const Reading& at, const Context* context, Visits& visits,
                                const std::string& part = {}) const;
  Reading reading(const LinkedFlow& flow) const { return {flow.function, flow.order, flow.flow->region}; }
  void search_origins(const Value& value, const Reading& at, const Context* context, Search& search) const;
  void search_node(const std::string& node, const Reading& at, const Context* context, Search& search) const;
  void add_pinned_in_place(const std::string& node, Search& search) const;
  void add_pinned_by_helper(const std::string& content, Search& search) const;
  void search_param(const std::string& node, const Context* context, Search& search) const;
  void search_written_through(const std::string& node, const Context* context, Search& search) const;
  struct DeviceSearch;
  Devices search_devices(const Value& value, const Reading& at, const Context* context, DeviceSearch& search) const;
  Devices search_device_node(const std::string& node, const Reading& at, const Context* context,
                             DeviceSearch& search) const;
  enum class Given { kItself, kElements };
  Devices search_device_param(const std::string& node, Given given, const Reading& at, const Context* context,
                              DeviceSearch& search) const;
  Devices search_device_written(const std::string& node, const Reaching& reached, const Reading& at,
                                DeviceSearch& search) const;
  bool may_write_before(Site site, const Reaching& reached, const Reading& at) const;
  bool loader_pins(const std::string& field, const std::vector<Value>& classes, DeviceSearch& search) const;
  Devices made_out_of_sight(Site call, const DeviceSearch& search) const;
  bool calls_itself(int function, int region) const;
  Devices not_known(const Reading& at) const;
  bool touches_gpu(int function) const;
  void find_preparing();
  void add_helpers_of_preparing(const std::vector<bool>& gpu);
  std::string tensor_read_by_host(Site site) const;
  void find_host_reads();

  const ApiTable& apis_;
  mutable facts::TextMap<const ApiFact*> api_facts_;  // by callee
  const Words& words_;
  const Words no_words_;
  std::vector<const Function*> functions_;
  std::vector<ApiCall> api_calls_;
  facts::TextMap<int> by_usr_;
  facts::TextMap<std::vector<int>> overriders_;
  facts::TextMap<std::vector<LinkedFlow>> flows_;
  struct ArgumentUse {
    Site site;
    int argument;
  };
  facts::TextMap<std::vector<ArgumentUse>> written_arguments_;
  facts::TextSet aliased_;  // variables that a flow hands on as they are
  std::vector<std::vector<std::vector<int>>> callees_;
  std::vector<std::vector<Site>> callers_;
  struct Callback {
    Site inside;  // the call of the parameter
    int function;
  };
  std::map<Site, std::vector<Callback>> callbacks_;  // callbacks.cpp: what a call hands to the function it calls
  std::map<std::pair<Site, int>, std::vector<Site>> handing_calls_;  // of the call of a parameter and what it runs
  std::set<Site> tensor_work_;
  std::set<Site> fills_;    // setup.cpp: give memory that the function makes and returns its first content
  std::set<Site> unknown_;  // effects.cpp: see Effects::unknown
  std::vector<Effects> effects_;
  std::vector<std::vector<Effects>> region_effects_;
  std::unordered_map<const Function*, std::vector<int>> region_ends_;
  std::vector<bool> wrapper_;
  std::vector<Heat> heat_in_;
  bool heat_is_known_ = false;                         // all of heat_in_
  mutable std::map<std::pair<int, int>, Heat> heats_;  // of regions, which every check asks for again
  std::vector<std::vector<bool>> region_launches_;
  std::vector<std::vector<bool>> brief_;  // setup.cpp: loops over the devices, warm-ups
  bool main_feeds_ = false;
  bool loops_outside_constructors_ = false;  // that launch GPU work and are no set-up
  bool left_over_ = false, unread_ = false;  // unread: some unit could not be read whole
  std::vector<bool> moves_;                  // growing.cpp: moves what memory holds to a larger place
  std::vector<bool> runs_;                   // runs.cpp: holds a solver's loop, here or in what it calls
  std::vector<std::vector<bool>> holds_runs_;
  std::vector<bool> recursive_;             // recursion.cpp: in a cycle of calls that launches GPU work
  std::vector<bool> taken_;                 // entries.cpp: its address is kept, or given to code out of sight
  std::set<int> whole_jobs_;                // entries.cpp: from the caller's host memory to the caller's host memory
  std::set<std::pair<int, int>> fan_outs_;  // threads.cpp: loops that start threads and do not wait for them
  // epochs.cpp: loops that an optimizer steps in, or that hold such a loop; functions that call an optimizer's step
  // outside of any loop, or hold such a loop.
  std::vector<std::vector<bool>> steps_, holds_steps_;
  std::vector<bool> updates_, trains_;
  std::vector<bool> learns_;         // setup.cpp: holds a backward or an optimizer's step, directly or through calls
  std::set<std::string> host_read_;  // host_reads.cpp: tensor parameters of which the host reads the elements
  std::vector<bool> prepares_;       // preparing.cpp: reads data and touches no GPU
  // setup.cpp: allocate and free GPU memory, or keep it in fields, directly or through calls
  std::vector<bool> makes_memory_, ends_memory_, keeps_memory_;
  std::vector<bool> builds_;  // setup.cpp: holds a loop that makes what the GPU works on
  bool uses_cuda_tensors_ = false, uses_managed_memory_ = false, only_legacy_stream_ = true;
  bool per_thread_default_stream_ = false;
  mutable std::map<std::pair<int, int>, std::shared_ptr<Approach>>
      approaches_;  // ways.cpp: how a function is reached by hot calls
  mutable std::map<Site, CallHeat> call_heats_;
  mutable size_t calls_approached_ = 0;
  mutable std::map<Site, bool> given_gpu_;  // devices.cpp: of calls out of sight
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
