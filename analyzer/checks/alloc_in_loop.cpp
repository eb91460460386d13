// alloc-in-loop: memory, streams, events or handles that the driver creates and destroys in a loop that launches GPU
// work.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/checks/allocations.h"
#include "analyzer/checks/caches.h"
#include "analyzer/checks/check.h"
#include "analyzer/facts/parameter_node.h"

namespace syncsniff::checks {

namespace {

// A call in the loop that creates (`makes`) or destroys a resource, and the variables that hold the resource.
struct ResourceCall {
  Located where;
  bool makes = false;
  std::set<std::string> nodes;
};

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& node) { return b.count(node) != 0; });
}

bool in_one_loop(const Heat& a, const Heat& b) {
  return a.loop_function == b.loop_function && a.loop_region == b.loop_region;
}

std::pair<int, int> loop_of(const ResourceCall& call) {
  return {call.where.heat.loop_function, call.where.heat.loop_region};
}

class Judge {
 public:
  Judge(const Program& program, Reporter& reporter)
      : program_(program), reporter_(reporter), wrappers_(program), caches_(program), timed_(timed_events(program)) {}

  void run() {
    const Opens opens = [this](int function) { return wrappers_(function); };
    for (Located& where : hot_calls(program_, makes, opens)) add(std::move(where), true);
    for (Located& where : hot_calls(program_, ends, opens)) add(std::move(where), false);
    index();
    std::vector<const ResourceCall*> releases;
    for (const ResourceCall& call : calls_) {
      if (is_of_its_own_element(call))
        reporter_.withhold("alloc-in-loop", program_, call.where,
                           "each iteration creates or destroys an element of its own: this is set-up or tear-down");
      else if (call.makes)
        report_creation(call);
      else
        releases.push_back(&call);
    }
    for (const ResourceCall* call : releases) {
      if (!is_created_here(*call)) report_release(*call);
    }
  }

 private:
  const Event& api_event(const ResourceCall& call) const { return program_.event(call.where.api); }
  const ApiFact& fact_of(const ResourceCall& call) const { return *program_.api(api_event(call)); }

  void add(Located where, bool makes) {
    ResourceCall call{std::move(where), makes, {}};
    call.nodes = kept_in(program_, call.where.at);
    if (is_container(call) && !may_allocate(call)) return;
    if (makes && only_on_a_miss(program_, call.where)) return;
    if (caches_.lead_to(call.where))
      return reporter_.withhold("alloc-in-loop", program_, call.where,
                                "it is made where it was missing, and kept: a cache or a first use");
    if (!makes && evicts_on_a_miss(program_, call.where))
      return reporter_.withhold(
          "alloc-in-loop", program_, call.where,
          "it is freed by a cache, which does so only when it has no free block to reuse and allocates a new one");
    if (is_added_to_container(call))
      return reporter_.withhold("alloc-in-loop", program_, call.where,
                                "each iteration adds what it makes to a container: this is set-up");
    if (is_around_runs(call.where))
      return reporter_.withhold(
          "alloc-in-loop", program_, call.where,
          "it is created or destroyed once per run of an inner loop, not in each of its iterations");
    calls_.push_back(std::move(call));
  }

  // Builds the indexes by variable. A program may have very many such calls, so they are not compared pair by pair.
  void index() {
    for (size_t i = 0; i < calls_.size(); ++i) {
      const ResourceCall& call = calls_[i];
      for (const std::string& node : call.nodes) {
        in_loop_.insert({loop_of(call), call.makes, node});
        if (call.makes)
          made_.insert({call.where.at.function, node});
        else
          ends_[{call.where.at.function, node}].push_back(i);
      }
    }
  }

  static bool is_around_runs(const Located& where) {
    return where.heat.between_runs && where.at.function != where.heat.loop_function;
  }

  // Whether the call only adds a new object to a container, as layers.push_back(std::make_unique<Layer>(n)) does, in a
  // loop that launches nothing else and that no hot loop repeats.
  bool is_added_to_container(const ResourceCall& call) const {
    const Site step = step_of(call);
    const int loop = call.where.heat.loop_region;
    const auto& f = program_.function(step.function);
    const std::string& kept = program_.event(step).into;
    if (!call.makes || kept.empty() || step.function != call.where.heat.loop_function || loop < 0) return false;
    if (program_.hotness().heat(step.function, f.regions[loop].parent).hot) return false;
    bool is_added = false;
    for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
      const Event& event = f.events[e];
      if (!program_.inside(f, event.region, loop)) continue;
      if (e != step.event && program_.effects_of({step.function, e}).launches) return false;
      if (event.object.node.str() != kept) continue;
      is_added |= program::adds_element(event);
      if (program::takes_element(event)) return false;
    }
    return is_added;
  }

  // Another call path to the place may come from a loop that sets up one layer after the other; that path is no
  // finding.
  void only_where_repeated(const ResourceCall& call) {
    reporter_.only_where([&](const Located& other) {
      ResourceCall there = call;
      there.where = other;
      return !is_around_runs(other) && !is_of_its_own_element(there) &&
             !(there.makes && only_on_a_miss(program_, other)) && !caches_.lead_to(other);
    });
  }

  bool is_container(const ResourceCall& call) const { return call.makes && fact_of(call).out_arg == kObject; }

  // Whether the container may allocate: `device_vector<float> v;` does not, and a container that outlives the iteration
  // keeps its capacity.
  bool may_allocate(ResourceCall& call) const {
    const Event& event = api_event(call);
    if (is_container_constructor(event)) return !event.args.empty() && event.args[0].constant != 0;
    if (begins_in_loop(call) || begins_with_its_object(call)) return true;
    const std::string method = event.callee.id.substr(event.callee.id.rfind("::") + 2);
    if (method == "shrink_to_fit") return true;
    if (method == "erase") return event.args.size() != 2 || !event.args[1].text.ends_with("end()");
    if (method == "resize" || method == "reserve" || method == "assign") return false;
    call.where.heat.severity = std::min(call.where.heat.severity, Severity::kLow);  // it rarely grows
    return true;
  }

  // Whether the container is constructed empty in each iteration, here or by a caller that passes it in, so that each
  // iteration allocates its memory again.
  bool begins_in_loop(const ResourceCall& call) const {
    std::string node = program_.event(call.where.api).object.node;
    int function = call.where.api.function;
    for (const program::Context* context = call.where.context(); !node.empty(); context = context->outer) {
      if (is_constructed_in_loop(node, function, call)) return true;
      const auto handed_in = facts::parameter_node(node);
      if (!handed_in || !context) return false;
      const Event& caller = program_.event(context->call);
      if (handed_in->index >= caller.args.size()) return false;
      node = caller.args[handed_in->index].node;
      function = context->call.function;
    }
    return false;
  }

  bool is_constructed_in_loop(const std::string& node, int function, const ResourceCall& call) const {
    const auto& events = program_.function(function).events;
    return std::any_of(events.begin(), events.end(), [&](const Event& event) {
      if (event.into != node || !is_container_constructor(event)) return false;
      const Heat heat = program_.hotness().heat(function, event.region);
      return heat.hot && !heat.dropped && in_one_loop(heat, call.where.heat);
    });
  }

  // Whether the container is a member of a local object that each iteration constructs anew: Tensor gradient(shape);
  // gradient.allocate().
  bool begins_with_its_object(const ResourceCall& call) const {
    const auto& calls = *call.where.contexts;
    for (size_t i = calls.size(); i-- > 0;) {
      const Site site = calls[i].call;
      const std::string& node = program_.event(site).object.node;
      if (node.rfind("v:", 0) != 0) continue;
      const auto& events = program_.function(site.function).events;
      const int region = program_.event(site).region;
      return std::any_of(events.begin(), events.end(), [&](const Event& event) {
        return event.kind == Event::Kind::kCall && event.into == node && event.region == region;
      });
    }
    return false;
  }

  // The call in the hot loop's own function that leads to the resource call, or the resource call itself if it is in
  // that function.
  Site step_of(const ResourceCall& call) const {
    const Located& where = call.where;
    if (where.at.function == where.heat.loop_function) return where.at;
    const auto& calls = *where.contexts;
    for (size_t i = calls.size() - where.inner.size(); i-- > 0;) {
      if (calls[i].call.function == where.heat.loop_function) return calls[i].call;
    }
    return where.at;
  }

  // Whether the resource is a local container that is passed to nobody, so that no element of another object keeps it:
  // thrust::device_vector<float> scratch(n);
  bool ends_with_its_block(const ResourceCall& call) const {
    const Event& event = api_event(call);
    return is_container_constructor(event) && event.into.starts_with("v:") &&
           !program_.flows().is_read_elsewhere(event.into);
  }

  // Each iteration works on another element of an array or container, and what it creates there is not destroyed in the
  // loop, or what it destroys was not created there: this is set-up or tear-down.
  bool is_of_its_own_element(const ResourceCall& call) const {
    if (ends_with_its_block(call)) return false;
    const int loop = call.where.heat.loop_region;
    const Site step = step_of(call);
    if (step.function != call.where.heat.loop_function) return false;
    const Event& event = program_.event(step);
    const auto picked_by_loop = [&](const std::vector<int>& regions) {
      return std::find(regions.begin(), regions.end(), loop) != regions.end();
    };
    // layers[i]->init(): if the call is further out, only its object shows which element is meant, since its arguments
    // may be just this step's batch. upload(images + i): the same holds for a helper that reads its argument but stores
    // its result in one place.
    const bool slot = step == call.where.at && (program_.api(event) || event.into.empty());
    const bool direct = slot || event.object.kind == Value::Kind::kContent;
    if (!(direct && picked_by_loop(event.loops.varies_with)) && !picked_by_loop(event.loops.into_varies_with))
      return false;
    return std::none_of(call.nodes.begin(), call.nodes.end(), [&](const std::string& node) {
      return in_loop_.count({loop_of(call), !call.makes, node}) != 0;
    });
  }

  // The next call in the same function that destroys what `made` creates; if there is none, the first one, which runs
  // in the next iteration.
  const ResourceCall* release_of(const ResourceCall& made) const {
    const ResourceCall *first = nullptr, *next = nullptr;
    const std::set<std::string> own = kept_in(program_, made.where.api);
    // A destructor may free several fields; the one that `made` allocated comes first.
    const auto earlier = [&](const ResourceCall* a, const ResourceCall* b) {
      if (!b || a->where.at.event != b->where.at.event) return !b || a->where.at.event < b->where.at.event;
      return meet(own, kept_in(program_, a->where.api)) && !meet(own, kept_in(program_, b->where.api));
    };
    for (const std::string& node : made.nodes) {
      const auto ends = ends_.find({made.where.at.function, node});
      if (ends == ends_.end()) continue;
      for (const size_t i : ends->second) {
        const ResourceCall* end = &calls_[i];
        if (earlier(end, first)) first = end;
        if (made.where.at.event < end->where.at.event && earlier(end, next)) next = end;
      }
    }
    return next ? next : first;
  }

  bool is_created_here(const ResourceCall& ended) const {
    return std::any_of(ended.nodes.begin(), ended.nodes.end(),
                       [&](const std::string& node) { return made_.count({ended.where.at.function, node}) != 0; });
  }

  bool is_timed(const ResourceCall& call) const {
    return meet(call.nodes, timed_) || meet(kept_in(program_, call.where.api), timed_);
  }

  // What the call costs, as text; measured on an H200, see the rule's YAML.
  static std::string creation_cost(const ApiFact& fact) {
    if (fact.creates == "event") return "creates an event";
    if (fact.creates == "stream") return "creates a stream";
    if (fact.creates == "graph") return "makes an executable graph, node by node";
    if (!fact.creates.empty()) return "creates a library handle and allocates its workspace";
    if (fact.registers_arg != kNoArg) return "page-locks existing memory, page by page";
    if (fact.allocates == MemoryKind::kPinned) return "allocates memory and page-locks it, page by page";
    return fact.implicit_wait != WaitsFor::kNothing ? "takes the driver's lock and waits for the device"
                                                    : "takes the driver's lock and may wait for the device";
  }

  static std::string release_cost(const ApiFact& fact) {
    if (fact.destroys == "event") return "destroys an event";
    if (fact.destroys == "stream") return "destroys a stream";
    if (fact.destroys == "graph") return "destroys an executable graph";
    if (fact.destroys == "cache")
      return "waits for the device and gives all cached memory back to the driver, which the next step asks for again";
    const char* const waits =
        fact.implicit_wait != WaitsFor::kNothing ? "waits for the device" : "takes the driver's lock";
    return fact.destroys.empty() ? waits : std::string("destroys a library handle and ") + waits;
  }

  std::string creation_message(const ResourceCall& call, const Heat& heat) const {
    const ApiFact& fact = fact_of(call);
    const std::string name = api_event(call).callee.name;
    if (!is_container(call)) return name + " " + creation_cost(fact) + ", " + often(heat);
    if (is_container_constructor(api_event(call)))
      return name + " allocates memory in its constructor and waits for the device in its destructor, " + often(heat);
    return name + " allocates memory when the vector must grow, and frees its old memory, " + often(heat);
  }

  // Events cost little (0.7 to 3 us a pair), streams not much more (5 to 19 us).
  static void cap_by_cost(Heat& heat, const std::string& object) {
    if (object == "event") heat.severity = std::min(heat.severity, Severity::kLow);
    if (object == "stream") heat.severity = std::min(heat.severity, Severity::kMedium);
  }

  std::string case_of(const ResourceCall& call) const {
    const ApiFact& fact = fact_of(call);
    const std::string& object = call.makes ? fact.creates : fact.destroys;
    if (object == "event") return is_timed(call) ? "timing" : "event";
    if (!object.empty()) return object;
    if (is_container(call)) return "vector";
    if (fact.registers_arg != kNoArg || (!call.makes && fact.frees == MemoryKind::kUnknown)) return "registration";
    if ((call.makes ? fact.allocates : fact.frees) == MemoryKind::kPinned) return "pinned";
    return call.where.inner.empty() ? "" : "wrapper";
  }

  void report_creation(const ResourceCall& call) {
    Located where = call.where;
    cap_by_cost(where.heat, fact_of(call).creates);
    std::string message = creation_message(call, where.heat);
    if (fact_of(call).creates == "event" && is_timed(call)) message += ", to time the GPU work";
    const ResourceCall* end = release_of(call);
    Finding& finding = reporter_.report("alloc-in-loop", program_, where, message);
    reporter_.use_fix_for(finding, case_of(call));
    only_where_repeated(call);
    if (!end) return;
    const std::string what = api_event(*end).callee.name;
    const std::string verb = fact_of(*end).destroys.empty() ? "freed here: " : "destroyed here: ";
    // A destructor runs at the end of a variable's scope, but its event is placed at the declaration: show the freeing
    // call inside the destructor instead.
    const Event& release_call = program_.event(end->where.at);
    const bool shown = release_call.place.line != finding.location.line;
    finding.release = to_location(shown ? release_call.place : api_event(*end).place);
    finding.path.push_back({finding.release, verb + what + " " + release_cost(fact_of(*end))});
    if (shown && end->where.at != end->where.api)
      finding.path.push_back({to_location(api_event(*end).place), "'" + what + "' is called here"});
  }

  // Whether the function allocates, itself or through calls; an allocation that runs only once also counts.
  bool allocates(int function, int depth = 0) {
    constexpr int kDeepest = 6;
    if (const auto known = allocates_.find(function); known != allocates_.end()) return known->second;
    if (depth > kDeepest) return false;
    allocates_[function] = false;
    const auto& events = program_.function(function).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      const ApiFact* fact = program_.api(events[e]);
      const auto& callees = program_.callees({function, e});
      if ((fact && makes(events[e], *fact)) ||
          std::any_of(callees.begin(), callees.end(), [&](int callee) { return allocates(callee, depth + 1); }))
        return allocates_[function] = true;
    }
    return false;
  }

  // Buffer b(n); b.data(): for an object that is destroyed in each iteration, the first call of a method that may
  // allocate. Nothing if the release is not in the destructor of such an object.
  std::optional<Site> first_use_that_allocates(const ResourceCall& release) {
    const Site end = release.where.at;
    const auto& events = program_.function(end.function).events;
    const std::string& object = events[end.event].into;
    if (object.empty() || !release.where.heat.hot) return {};
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (events[e].object.node != object || program_.block_of({end.function, e}) != program_.block_of(end)) continue;
      const auto& callees = program_.callees({end.function, e});
      if (std::any_of(callees.begin(), callees.end(), [&](int callee) { return allocates(callee); }))
        return Site{end.function, e};
    }
    return {};
  }

  void report_release(const ResourceCall& call) {
    Located where = call.where;
    cap_by_cost(where.heat, fact_of(call).destroys);
    const std::optional<Site> first_use = first_use_that_allocates(call);
    // if (memory) cudaFree(memory), if (memory) free_it(memory): an iteration may have nothing to free.
    const auto is_conditional = [&](Site site) {
      return !program_.function(site.function).regions[program_.event(site).region].condition.empty();
    };
    const bool maybe_nothing_to_free =
        !first_use &&
        (is_conditional(where.api) || std::any_of(where.inner.begin(), where.inner.end(), is_conditional));
    if (maybe_nothing_to_free) where.heat.severity = std::min(where.heat.severity, Severity::kMedium);
    // The condition in the destructor is true whenever the object was used, so it does not lower the severity.
    if (first_use) where.heat.condition = program_.heat(where.at).condition;
    std::string message = api_event(call).callee.name + " " + release_cost(fact_of(call)) + ", " + often(where.heat);
    if (first_use) message += ": the object allocates when it is first used, and frees when its scope ends";
    Finding& finding = reporter_.report("alloc-in-loop", program_, where, message);
    if (maybe_nothing_to_free) finding.level = 1;
    if (first_use) {
      const Event& use = program_.event(*first_use);
      finding.path.push_back({to_location(use.place), "'" + use.text + "' allocates"});
    }
    only_where_repeated(call);
    reporter_.use_fix_for(finding, case_of(call));
  }

  const Program& program_;
  Reporter& reporter_;
  AllocationWrappers wrappers_;
  Caches caches_;
  std::set<std::string> timed_;
  std::vector<ResourceCall> calls_;
  std::map<int, bool> allocates_;
  // Indexes by the variable that holds the resource: the calls in a loop that create (true) or destroy (false) it, the
  // functions that create it, and the calls that destroy it.
  std::set<std::tuple<std::pair<int, int>, bool, std::string>> in_loop_;
  std::set<std::pair<int, std::string>> made_;
  std::map<std::pair<int, std::string>, std::vector<size_t>> ends_;
};

}  // namespace

void alloc_in_loop(const Program& program, Reporter& reporter) { Judge(program, reporter).run(); }

}  // namespace syncsniff::checks
