// per-tensor-loop: a loop that launches a small kernel, or a tensor operation, for each of many independent tensors.
#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/checks/check.h"
#include "analyzer/checks/launch_count.h"
#include "analyzer/checks/networks_by_row.h"
#include "analyzer/checks/spelled_out_launches.h"
#include "analyzer/checks/unseen_kernels.h"
#include "analyzer/frequency/gates.h"
#include "analyzer/program/element_share.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

using program::varies_with;

namespace {

constexpr int kMostLaunches = 4;  // with more launches per iteration it is a layer, not a map over tensors
// The limit if all launches are elementwise, as in an optimizer written as several small kernels, or if each kernel
// gets the number of its part as argument, so that a launch with one more grid dimension could process all parts.
constexpr int kMostApart = 24;
constexpr int kMostRead = 4 * kMostApart;  // launches in the source; after so many, the rest of a loop is not read

struct Body {
  int launches = 0;    // launching calls in the source of one iteration, in this function
  int picked = 0;      // how many of those work on data selected by the loop variable
  int sliced = 0;      // how many of those launch kernels that get the number of their part as argument
  int computing = 0;   // how many of the launches are no memsets; of the branches of an if, only the largest counts
  int sums = 0;        // how many of those only accumulate onto the result of earlier iterations
  int moving = 0;      // blocking or asynchronous copies, nested step loops and the like
  bool layer = false;  // it launches a layer's forward or backward pass, or a whole step
  bool elementwise = true;  // each launch works on each element of its arrays alone
  bool grouped = false;     // between ncclGroupStart and ncclGroupEnd
  bool update = false;      // it updates parameters, each with its own gradient
  bool streams = false;     // each iteration launches on its own stream
  bool may_go_on = false;   // a kernel that was not read may carry something from one iteration to the next
  bool by_rows = false;     // it runs a network on one row of a tensor after another
  Site first;

  bool of_any_length() const { return update || by_rows; }
};

bool is_lead(const Event& e) {
  return e.kind == Event::Kind::kCall || e.kind == Event::Kind::kLaunch || e.kind == Event::Kind::kApi ||
         e.kind == Event::Kind::kTensor;
}

// Whether the event only sets memory, directly or in a function that does nothing else on the GPU. One launch could set
// all the arrays.
bool is_memset(const Program& program, Site site, int depth = 0) {
  constexpr int kDeepest = 4;
  const Event& event = program.event(site);
  if (event.kind == Event::Kind::kApi) {
    const ApiFact* fact = program.api(event);
    return fact && fact->enqueued == "memset";
  }
  const auto effects = program.effects_of(site);
  if (event.kind != Event::Kind::kCall || depth == kDeepest || effects.launches || !effects.enqueues) return false;
  const std::vector<int>& callees = program.callees(site);
  return std::all_of(callees.begin(), callees.end(), [&](int callee) {
    const int events = static_cast<int>(program.function(callee).events.size());
    for (int e = 0; e < events; ++e) {
      if (program.effects_of({callee, e}).enqueues && !is_memset(program, {callee, e}, depth + 1)) return false;
    }
    return true;
  });
}

// Whether the loop launches kernels or sets memory in some iteration.
bool is_fed(const Program& program, int f, int loop) {
  if (program.function(f).regions[loop].gate == Gate::kNever) return false;
  if (program.loops().feeding.launches(f, loop)) return true;
  const auto& function = program.function(f);
  for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
    if (program.inside(function, function.events[e].region, loop) && is_memset(program, {f, e})) return true;
  }
  return false;
}

bool in_branch_that_never_runs(const facts::Function& f, int region, int loop) {
  for (int r = region; r != loop && r >= 0; r = f.regions[r].parent) {
    const Gate g = f.regions[r].gate;
    if (g == Gate::kNever || g == Gate::kError || g == Gate::kLazy || g == Gate::kDebug) return true;
  }
  return false;
}

// update_layer(i): the only possible callee passes the index on, and all its launches work on data selected by it.
bool hands_on_index(const Program& program, const ElementShare& share, Site site, int loop) {
  const auto& index_args = program.event(site).loops.index_args;
  const std::vector<int>& to = program.callees(site);
  if (to.size() != 1) return false;
  const auto& events = program.function(to.front()).events;
  for (size_t i = 0; i + 1 < index_args.size(); i += 2) {
    if (index_args[i + 1] != loop) continue;
    const auto is_picked = [&](int e) {
      const auto& picked_by = events[e].loops.picked_by;
      return std::find(picked_by.begin(), picked_by.end(), index_args[i]) != picked_by.end() ||
             share.hands_on_slice({to.front(), e}, index_args[i]);
    };
    bool all = true, any = false;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (!program.effects_of({to.front(), e}).enqueues) continue;
      any = true;
      all &= is_picked(e);
    }
    if (all && any) return true;
  }
  return false;
}

// Whether the event works on a tensor that this iteration creates and keeps: auto part = make(); fill(part);
// parts.push_back(part).
bool works_on_new(const Event& event, int loop) { return std::ranges::count(event.loops.keeps_new, loop) != 0; }

// Whether the loop over tensors reads the gradient of its current element. It is then an update of parameters, which
// treats them one by one however long its formula is.
bool reads_gradients(const facts::Function& f, const Program& program, int loop) {
  return f.regions[loop].over_tensors && std::any_of(f.events.begin(), f.events.end(), [&](const Event& event) {
           const bool gradient = event.callee.id == "at::Tensor::grad" || event.callee.id == "at::Tensor::mutable_grad";
           return gradient && varies_with(event, loop) && program.inside(f, event.region, loop);
         });
}

// Whether a function pointer or an object's class decides which code the call launches, at the call itself or in its
// callees.
bool object_decides(const Program& program, Site call, int depth) {
  constexpr int kDeepest = 3;
  const Event& event = program.event(call);
  const bool names_lambda = event.object.kind == Value::Kind::kFunction;  // [&] { ... }(), and of one in a variable
  if ((event.callee.indirect && !names_lambda) || event.callee.is_virtual || event.callee.name == "std::visit")
    return true;
  if (event.kind != Event::Kind::kCall || depth == kDeepest) return false;
  const auto& callees = program.callees(call);
  return std::any_of(callees.begin(), callees.end(), [&](int callee) {
    const auto& events = program.function(callee).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (events[e].object.kind == Value::Kind::kNode && events[e].object.node.starts_with("t:") &&
          program.effects_of({callee, e}).launches && object_decides(program, {callee, e}, depth + 1))
        return true;
    }
    return false;
  });
}

// Whether the call leads back to its own function, as the walk over a graph or tree does: for (auto& node : next)
// node->run_backward(x).
bool comes_back(const Program& program, Site call) {
  constexpr size_t kMostReached = 64;  // such a walk takes a few calls
  std::vector<int> reached = program.callees(call);
  for (size_t i = 0; i < reached.size() && reached.size() < kMostReached; ++i) {
    if (reached[i] == call.function) return true;
    for (const std::vector<int>& callees : program.graph().callees_of_events(reached[i]))
      for (const int callee : callees)
        if (program.effects().of(callee).launches && std::find(reached.begin(), reached.end(), callee) == reached.end())
          reached.push_back(callee);
  }
  return false;
}

// The largest number of launches that one iteration can make. `launches`: by region, without its inner regions.
int most_in_an_iteration(const facts::Function& f, int loop, std::map<int, int> launches) {
  // By region, then by the place of the test: the launches of its largest branch.
  std::map<int, std::map<unsigned, int>> tests;
  for (int r = static_cast<int>(f.regions.size()) - 1; r >= loop; --r) {  // inner regions have higher numbers
    for (const auto& [place, most] : tests[r]) launches[r] += most;
    const Region& region = f.regions[r];
    if (r == loop || region.parent < loop || !launches.count(r)) continue;
    if (region.kind != Region::Kind::kBranch) {
      launches[region.parent] += launches[r];
      continue;
    }
    int& most = tests[region.parent][region.place.offset];
    most = std::max(most, launches[r]);
  }
  return launches[loop];
}

bool opens_or_closes_group(const ApiFact* fact) { return fact && (fact->group == "begin" || fact->group == "end"); }

// .item() and .cpu() of each element are read-backs, which one launch over all elements would not avoid.
bool reads_back(const Event& event, const ApiFact* fact) {
  return event.kind == Event::Kind::kTensor && fact && fact->blocks == Blocks::kCudaTensor;
}

// Whether the launch belongs to a layer or a stage of its own, which one launch over all elements cannot replace.
bool is_of_layer(const Program& program, const ElementShare& share, Site site, bool elementwise, const Body& body) {
  const int most = elementwise ? kMostApart : kMostLaunches;
  if (!body.update && launches_behind(program, site, most) > most) return true;
  // Called through a pointer or a virtual function, each element runs its own code; one launch can replace these only
  // if they are all elementwise.
  if (!elementwise && object_decides(program, site, 0)) return true;
  if (!body.layer && comes_back(program, site)) return true;
  return share.runs_layer(site) || (program.event(site).kind == Event::Kind::kCall && share.feeds_next(site));
}

bool is_of_element(const Program& program, const ElementShare& share, Site site, int loop) {
  const Event& event = program.event(site);
  if (works_on_new(event, loop)) return true;
  return varies_with(event, loop) && (event.kind != Event::Kind::kCall || share.works_on_element(site, loop));
}

// The finding names a launch that every iteration makes, if there is one.
bool is_to_be_named(const facts::Function& function, const Body& body, const Event& launch, int loop) {
  if (!body.launches) return true;
  return function.events[body.first.event].region != loop && launch.region == loop;
}

void add_launch(const Program& program, const ElementShare& share, Site site, int loop, bool memset, Body& body) {
  const auto& function = program.function(site.function);
  const Event& event = function.events[site.event];
  body.streams |= event.stream.own;
  const bool elementwise = memset || share.is_elementwise(site);
  body.elementwise &= elementwise;
  const bool by_rows = runs_network_on_row(program, share, site, loop);
  body.by_rows |= by_rows;
  body.layer |= !by_rows && is_of_layer(program, share, site, elementwise, body);
  // Each iteration uses the result of the one before: a recurrence in time, or a sum over the iterations.
  const bool goes_on = std::ranges::count(event.loops.carries_in, loop) != 0;
  body.layer |= goes_on && event.kind != Event::Kind::kTensor;
  body.may_go_on |= shares_memory_unseen(program, site, loop);
  body.sums += goes_on;
  if (by_rows || (!body.by_rows && is_to_be_named(function, body, event, loop))) body.first = site;
  ++body.launches;
  body.computing += !memset;
  const bool sliced = share.picks_slice(site, loop);
  body.sliced += sliced;
  body.picked += sliced || is_of_element(program, share, site, loop) || hands_on_index(program, share, site, loop);
}

Body read_body(const Program& program, const ElementShare& share, int f, int loop) {
  const auto& function = program.function(f);
  Body body;
  body.update = reads_gradients(function, program, loop);
  bool group_open = false;
  std::map<int, int> computing;  // by region
  for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
    const Event& event = function.events[e];
    const ApiFact* fact = program.api(event);
    if (opens_or_closes_group(fact)) group_open = fact->group == "begin";
    if (!program.inside(function, event.region, loop) || !is_lead(event)) continue;
    if (in_branch_that_never_runs(function, event.region, loop)) continue;
    // One launch cannot work on several devices, and several graphs or plans are no work on several tensors.
    body.layer |= fact && (fact->switches_device || fact->runs_plan);
    if (reads_back(event, fact)) continue;
    const auto effects = program.effects_of({f, e});
    const bool memset = is_memset(program, {f, e});
    if (!effects.launches && !memset) {
      body.moving += effects.enqueues;
      continue;
    }
    body.grouped |= group_open;
    computing[event.region] += !memset;
    add_launch(program, share, {f, e}, loop, memset, body);
    // Now it is certain that this is no map over tensors, so the rest of a body that may have thousands of launches is
    // not read.
    if (body.layer || (!body.of_any_length() && (body.moving || body.computing > kMostRead))) break;
  }
  if (body.computing <= kMostRead) body.computing = most_in_an_iteration(function, loop, std::move(computing));
  return body;
}

// Whether each iteration processes another tensor, independently of the other iterations.
bool is_map_over_tensors(const Program& program, const ElementShare& share, int f, int loop, const Body& body) {
  const Region& region = program.function(f).regions[loop];
  if (region.forever || !region.unit_step || region.carries_value || region.neighbour_index || body.grouped ||
      body.layer)
    return false;
  if (body.launches == body.sums) return false;
  const bool apart = body.elementwise || body.sliced == body.launches ||
                     (body.computing > kMostLaunches && share.works_on_parts(f, loop));
  const int most = apart ? kMostApart : kMostLaunches;
  if (!body.of_any_length() && (body.computing > most || body.moving)) return false;
  return body.picked == body.launches || (region.over_tensors && body.picked > 0);
}

// The callee's name; for a library function such as std::for_each, and for a lambda, which a macro may make and call,
// the name of the first function that it launches for an element.
std::string launched_name(const Program& program, Site site, int depth = 0) {
  constexpr int kDeepest = 4;
  const Event& event = program.event(site);
  const std::vector<int>& callees = program.callees(site);
  const bool runs_lambda =
      std::ranges::any_of(callees, [&](int callee) { return !program.function(callee).owner.empty(); });
  if (event.kind != Event::Kind::kCall || (!event.callee.harmless && !runs_lambda) || depth == kDeepest)
    return event.callee.name;
  for (const int callee : callees) {
    const int events = static_cast<int>(program.function(callee).events.size());
    for (int e = 0; e < events; ++e)
      if (program.effects_of({callee, e}).launches) return launched_name(program, {callee, e}, depth + 1);
  }
  return event.callee.name;
}

void report_loop(const Program& program, int f, int r, const Body& body, Located where, Reporter& reporter) {
  const Region& region = program.function(f).regions[r];
  frequency::pass_element_loop(where.heat, region, program.words());
  // With long chains of kernels, the host's launches set the pace, even if each iteration has its own stream.
  if (body.streams)
    where.heat.cap(body.computing > kMostLaunches ? Severity::kMedium : Severity::kLow,
                   "each part of the array has a stream of its own, so that they run side by side", region.place);
  const Event& launch = program.event(body.first);
  if (launch.kind == Event::Kind::kCall && !body.elementwise && !body.by_rows)
    frequency::pass_element_call(where.heat, launch, program.words());
  if (body.may_go_on) where.heat.cap(Severity::kMedium, kMayGoOn, launch.place);
  const char* launches = launch.kind == Event::Kind::kTensor ? "tensor operations"
                         : is_memset(program, body.first)    ? "a memset"
                                                             : "a kernel";
  const std::string element = region.collection.empty() ? "element" : "element of '" + region.collection + "'";
  const std::string does = body.by_rows ? "runs a network on one row of a tensor after another"
                                        : std::string("launches ") + launches + " for each " + element;
  const std::string remedy = body.by_rows ? "one call can process all rows" : "one launch can process them all";
  Finding& finding = reporter.report(
      "per-tensor-loop", program, where,
      "this loop " + does + " ('" + launched_name(program, body.first) + "'), " + often(where.heat) + "; " + remedy);
  finding.callee.clear();  // the finding is about all launches of the loop
  finding.location = to_location(region.place);
  finding.scope = to_location(region.whole);
  if (body.by_rows) reporter.use_fix_for(finding, "rows");
  if (body.may_go_on || body.by_rows) finding.level = 1;
  finding.path.push_back(
      {to_location(launch.place), body.by_rows ? "called once per row" : "launched once per element"});
}

// Whether the arguments of all callers, or their defaults, turn off everything that the call would launch:
// zero_grad(bool set_to_none = true) { for (p : parameters) p->zero_grad(set_to_none); }
bool is_turned_off(const Program& program, const Located& where) {
  constexpr size_t kMostWays = 16;
  const Event& call = program.event(where.at);
  if (call.kind != Event::Kind::kCall || program.callees(where.at).empty()) return false;
  std::vector<program::Way> ways = program.ways().to(where.at, call.region, where.heat, kMostWays);
  if (ways.size() >= kMostWays) return false;  // there may be more
  bool excludes_any = false;
  for (program::Way& way : ways) {
    way.calls.push_back(where.at);
    for (const int callee : program.callees(where.at)) {
      const auto& events = program.function(callee).events;
      for (int e = 0; e < static_cast<int>(events.size()); ++e) {
        if (!program.effects_of({callee, e}).enqueues) continue;
        if (!program.graph().excludes(way.calls, callee, events[e].region)) return false;
        excludes_any = true;
      }
    }
  }
  return excludes_any;
}

// Whether the outer loop launches only what the inner one does: for (group : groups) for (parameter : group).
bool is_around(int loop, const Body& outer, int inside, const Body& inner, const Program& program, int f) {
  return outer.launches == inner.launches && outer.first == inner.first &&
         program.inside(program.function(f), inside, loop);
}

}  // namespace

void per_tensor_loop(const Program& program, Reporter& reporter) {
  const ElementShare& share = program.share();
  spelled_out_launches(program, share, reporter);
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& function = program.function(f);
    std::map<int, Body> reported;
    for (int r = static_cast<int>(function.regions.size()) - 1; r > 0; --r) {
      if (function.regions[r].kind != Region::Kind::kLoop || !is_fed(program, f, r)) continue;
      if (program.tasks().only_starts_threads(f, r)) continue;
      const Body body = read_body(program, share, f, r);
      if (!is_map_over_tensors(program, share, f, r, body) || share.goes_on_besides_sums(f, r)) continue;
      if (std::any_of(reported.begin(), reported.end(),
                      [&](const auto& inner) { return is_around(r, body, inner.first, inner.second, program, f); }))
        continue;
      // The heat is that of the enclosing region, since this loop itself is not the loop over steps.
      const int outside = function.regions[r].parent;
      const Located where = located_at(body.first, program.hotness().heat(f, outside), outside);
      if (!where.heat.hot || where.heat.dropped || is_turned_off(program, where)) continue;
      report_loop(program, f, r, body, where, reporter);
      reported.emplace(r, body);
    }
  }
}

}  // namespace syncsniff::checks
