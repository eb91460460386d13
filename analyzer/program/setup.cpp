#include "analyzer/program/setup.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "analyzer/program/adding.h"
#include "analyzer/program/device_memory.h"

namespace syncsniff::program {

namespace {

constexpr long kFewSetupTrips = 3;

// Whether the event's result exists after the iteration: it is stored in a field or container, or behind a pointer of
// the caller.
bool outlives_iteration(const Event& event, int region) {
  const auto& varies = event.loops.into_varies_with;
  const std::string& into = event.into;
  return into.rfind("f:", 0) == 0 || into.rfind("p:", 0) == 0 ||
         std::find(varies.begin(), varies.end(), region) != varies.end();
}

// The memory that an iteration allocates, and the buffers through which it is filled from host memory.
class NewMemory {
 public:
  void add(const Event& making) {
    add_made(making, made_);
    add_made(making, own_);
  }

  // Whether the event, which enqueues GPU work, fills new memory, or a buffer for it. A copy may read host memory, too;
  // a kernel that reads other memory computes and does not count.
  bool fills(const Event& event, const ApiFact* fact) {
    const bool copies = fact && fact->copy;
    const int to = copies ? fact->copy->dst : kNoArg;
    const bool any = works_on(event, made_).first;
    if (!any && to >= 0 && to < static_cast<int>(event.args.size()) &&
        event.args[to].value.kind == Value::Kind::kNode) {
      own_.insert(event.args[to].value.node);
      unused_.insert(event.args[to].value.node);
      return true;
    }
    for (const facts::Argument& argument : event.args) unused_.erase(argument.value.node);
    return any && (copies || works_on(event, own_).second);
  }

  bool staging_is_used() const { return unused_.empty(); }

 private:
  std::set<std::string> made_;
  std::set<std::string> own_;     // new memory and buffers
  std::set<std::string> unused_;  // buffers from which nothing has been read yet
};

class LoopReader {
 public:
  LoopReader(const Code& code, const Flows& flows, const CallGraph& graph, const EffectTable& effects,
             const FeedingLoops& feeding, const Epochs& epochs, const Repetitions& repetitions, const Rounds& rounds)
      : code_(code),
        flows_(flows),
        graph_(graph),
        effects_(effects),
        feeding_(feeding),
        epochs_(epochs),
        repetitions_(repetitions),
        rounds_(rounds),
        makers_(code, graph),
        adding_(code, graph, effects, false) {}

  bool looks_brief(int function, int region) const;
  bool builds(int function, int region) const;

 private:
  bool makes_object(Site site, int region) const;
  bool goes_on_from(const Event& call, int function, const facts::Text& into, int depth) const;
  bool keeps_result(Site site, int region) const;
  bool gives_object(const std::vector<int>& callees) const;
  bool visits_parts(int function, int region) const;
  bool calls_itself(int function, int region) const;
  const std::set<int>& device_numbers(int function) const;
  bool goes_through_devices(Site site, int region) const;

  const Code& code_;
  const Flows& flows_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  const FeedingLoops& feeding_;
  const Epochs& epochs_;
  const Repetitions& repetitions_;
  const Rounds& rounds_;
  const MemoryMakers makers_;
  const Adding adding_;
  mutable std::map<int, std::set<int>> device_numbers_;
};

// Whether the call constructs an object that keeps the GPU memory which its constructor allocates: new Layer(i),
// layers.emplace_back(i), layers[i] = Layer(i). The memory is in pointers that nothing here frees, or in the object's
// own containers if the object itself is stored.
bool LoopReader::makes_object(Site site, int region) const {
  const std::vector<int>& to = graph_.callees(site);
  const bool kept = outlives_iteration(code_.event(site), region);
  return !to.empty() && std::all_of(to.begin(), to.end(), [&](int c) {
    return is_constructor(code_.function(c)) && (makers_.keeps(c) || (kept && makers_.makes(c)));
  });
}

// Whether the event assigns to a variable that is the same one in all iterations, so that the next iteration replaces
// what this one stores: x = relu(x).
bool replaces_variable(const Event& event, int region) {
  const auto& varies = event.loops.varies_with;
  return event.callee.name.str().ends_with("operator=") && event.object.node.str().starts_with("v:") &&
         std::find(varies.begin(), varies.end(), region) == varies.end();
}

// Whether the call computes what it stores from what is stored there: x_ = scaled(x_).
bool LoopReader::goes_on_from(const Event& call, int function, const facts::Text& into, int depth) const {
  constexpr int kDeepest = 3;  // calls in arguments
  const auto& events = code_.function(function).events;
  return std::ranges::any_of(facts::values(call.args), [&](const Value& arg) {
    if (arg.node == into) return true;
    return arg.kind == Value::Kind::kCall && arg.event >= 0 && depth < kDeepest &&
           goes_on_from(events[arg.event], function, into, depth + 1);
  });
}

// Whether the call's result exists after the iteration: layers[i] = make_layer(i), layers.push_back(make_layer(i)). It
// does not if the next iteration replaces it, or if it is only used within the iteration, as in `auto y =
// net.forward(x); auto g = net.backward(y);`.
bool LoopReader::keeps_result(Site site, int region) const {
  const Function& f = code_.function(site.function);
  const Event& made = f.events[site.event];
  const auto& varies = made.loops.into_varies_with;
  if (made.into.empty() || made.into.str().starts_with("*")) return true;
  if (std::find(varies.begin(), varies.end(), region) == varies.end() &&
      goes_on_from(made, site.function, made.into, 0))
    return false;
  if (outlives_iteration(made, region)) return true;
  for (int e = site.event + 1; e < static_cast<int>(f.events.size()); ++e) {
    const Event& user = f.events[e];
    if (!code_.inside(f, user.region, region) || effects_.of({site.function, e}).enqueues ||
        replaces_variable(user, region))
      continue;
    const bool takes = std::ranges::any_of(facts::values(user.args), [&](const Value& arg) {
      return arg.node == made.into || (arg.kind == Value::Kind::kCall && arg.event == site.event);
    });
    if (takes) return true;
  }
  return false;
}

// layers[i] = make_layer(i): the returned object holds the memory, whichever function runs.
bool LoopReader::gives_object(const std::vector<int>& callees) const {
  const auto gives = [&](int c) { return makers_.makes(c) && !flows_.returned(c).empty(); };
  return !callees.empty() && std::ranges::all_of(callees, gives);
}

// Whether each iteration allocates GPU memory that no iteration frees, and enqueues work only on this memory. The loop
// then builds something: a program that trained this way would run out of memory.
bool LoopReader::builds(int function, int region) const {
  const Function& f = code_.function(function);
  if (adding_.adds_objects(function, region)) return true;
  NewMemory memory;
  bool makes = false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (!code_.inside(f, event.region, region)) continue;
    const ApiFact* fact = code_.api(event);
    const std::vector<int>& to = graph_.callees({function, e});
    if (makes_object({function, e}, region)) {
      makes = true;
      continue;
    }
    if (ends_memory(fact) || std::any_of(to.begin(), to.end(), [&](int c) { return makers_.ends(c); })) return false;
    if (makes_memory(fact)) {
      if (fact->out_arg == kObject) return false;  // a container frees its memory when its scope ends
      makes = true;
      memory.add(event);
      continue;
    }
    if (!effects_.of({function, e}).enqueues) continue;
    if (gives_object(to)) {
      if (!keeps_result({function, e}, region)) return false;
      makes = true;
      continue;
    }
    if (!memory.fills(event, fact)) return false;
  }
  return makes && memory.staging_is_used();
}

// Whether a call in the loop is to the loop's own function, as in a loop over a node's children that builds or walks a
// tree; a training step does not call itself. In a virtual method, a container of parts calls the same method on each
// part.
bool LoopReader::calls_itself(int function, int region) const {
  const Function& f = code_.function(function);
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const std::vector<int>& to = graph_.callees({function, e});
    const bool itself = std::find(to.begin(), to.end(), function) != to.end();
    if (itself && (to.size() == 1 || f.events[e].callee.is_virtual) && code_.inside(f, f.events[e].region, region))
      return true;
  }
  return false;
}

// Whether the loop visits the program's own parts, each once through a virtual call, while the optimizer steps
// elsewhere: for (Part* part : parts_) part->load(file). The parts are then initialised, or their state is read.
bool LoopReader::visits_parts(int function, int region) const {
  const Function& f = code_.function(function);
  if (!epochs_.any_trains() || epochs_.holds_step_loop(function, region) || f.regions[region].collection.empty())
    return false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (!code_.inside(f, event.region, region) || !effects_.of({function, e}).enqueues) continue;
    const auto& varies = event.loops.varies_with;
    if (!event.callee.is_virtual || std::find(varies.begin(), varies.end(), region) == varies.end()) return false;
  }
  return true;
}

// The function's integer parameters that select the device, in the function itself or in a callee.
const std::set<int>& LoopReader::device_numbers(int function) const {
  const auto [known, fresh] = device_numbers_.try_emplace(function);  // empty while a recursive function is read
  if (!fresh) return known->second;
  std::set<int> numbers;
  const auto& events = code_.function(function).events;
  const auto add = [&](const Event& event, int argument) {
    if (argument < static_cast<int>(event.args.size())) numbers.insert(parameter_handed_on(event, argument));
  };
  for (int e = 0; e < static_cast<int>(events.size()); ++e) {
    const ApiFact* fact = code_.api(events[e]);
    if (fact && fact->switches_device) add(events[e], 0);
    for (const int callee : graph_.callees({function, e}))
      for (const int argument : device_numbers(callee)) add(events[e], argument);
  }
  numbers.erase(-1);
  return device_numbers_[function] = std::move(numbers);
}

// Whether the call gets the number of a device from the loop: for (int d = 0; d < devices; ++d) fit(d, data), where
// fit() works on device d.
bool LoopReader::goes_through_devices(Site site, int region) const {
  const Event& event = code_.event(site);
  const ApiFact* fact = code_.api(event);
  const auto& varies = event.loops.varies_with;
  if (fact && fact->switches_device) return std::find(varies.begin(), varies.end(), region) != varies.end();
  const auto& index_args = event.loops.index_args;
  for (size_t i = 0; i + 1 < index_args.size(); i += 2) {
    if (index_args[i + 1] != region) continue;
    const std::vector<int>& to = graph_.callees(site);
    if (std::any_of(to.begin(), to.end(), [&](int callee) { return device_numbers(callee).count(index_args[i]) != 0; }))
      return true;
  }
  return false;
}

bool LoopReader::looks_brief(int function, int region) const {
  const Function& f = code_.function(function);
  if (!feeding_.is_feeding_loop(function, region)) return false;
  const Region& loop = f.regions[region];
  if ((loop.trips > 0 && loop.trips <= kFewSetupTrips) || loop.multiplies) return true;
  if (!epochs_.steps(function, region) &&
      (calls_itself(function, region) || builds(function, region) || visits_parts(function, region)))
    return true;
  if (repetitions_.tries_few(function, region) || rounds_.goes_through_streams(function, region) ||
      rounds_.only_captures(function, region) || rounds_.warms_up(function, region) == Rounds::WarmUp::kFarMore)
    return true;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e)
    if (goes_through_devices({function, e}, region)) return true;
  return false;
}

}  // namespace

Setup::Setup(const Code& code, const Flows& flows, const CallGraph& graph, const EffectTable& effects,
             const FeedingLoops& feeding, const Epochs& epochs, const Repetitions& repetitions, const Rounds& rounds,
             const WaitedTasks& tasks)
    : brief_(code.count()), builds_(code.count()) {
  const LoopReader loops(code, flows, graph, effects, feeding, epochs, repetitions, rounds);
  for (int f = 0; f < code.count(); ++f) {
    for (int r = 0; r < static_cast<int>(code.function(f).regions.size()); ++r) {
      const bool brief = loops.looks_brief(f, r);
      builds_[f] = builds_[f] || (brief && loops.builds(f, r));
      brief_[f].push_back(brief || tasks.only_starts_threads(f, r));
    }
  }
}

}  // namespace syncsniff::program
