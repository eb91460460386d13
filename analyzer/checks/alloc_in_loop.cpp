// alloc-in-loop: memory, streams, events or handles made and ended by the driver in a loop that feeds the GPU.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/checks/allocations.h"
#include "analyzer/checks/check.h"

namespace syncsniff::checks {

namespace {

// One call of the loop that makes or ends something, and where that is kept.
struct Act {
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

std::pair<int, int> loop_of(const Act& act) { return {act.where.heat.loop_function, act.where.heat.loop_region}; }

class Judge {
 public:
  Judge(const Program& program, Reporter& reporter)
      : program_(program), reporter_(reporter), wrappers_(program), timed_(timed_events(program)) {}

  void run() {
    const Opens opens = [this](int function) { return wrappers_(function); };
    for (Located& where : hot_calls(program_, makes, opens)) add(std::move(where), true);
    for (Located& where : hot_calls(program_, ends, opens)) add(std::move(where), false);
    index();
    for (const Act& act : acts_) {
      if (act.makes && !is_of_its_own_element(act)) tell_making(act);
    }
    for (const Act& act : acts_) {
      if (!act.makes && !made_here(act) && !is_of_its_own_element(act)) tell_ending(act);
    }
  }

 private:
  const Event& api_event(const Act& act) const { return program_.event(act.where.api); }
  const ApiFact& fact_of(const Act& act) const { return *program_.api(api_event(act)); }

  void add(Located where, bool makes) {
    Act act{std::move(where), makes, {}};
    act.nodes = kept_in(program_, act.where.at);
    if (is_container(act) && !may_allocate(act)) return;
    if (makes && only_on_a_miss(program_, act.where)) return;
    if (is_around_runs(act.where))
      return reporter_.withhold("alloc-in-loop", program_, act.where,
                                "it is set up, or given back, once for each run of the loop inside");
    acts_.push_back(std::move(act));
  }

  // A program may have as many acts as calls: each is looked up, not compared with every other.
  void index() {
    for (size_t i = 0; i < acts_.size(); ++i) {
      const Act& act = acts_[i];
      for (const std::string& node : act.nodes) {
        in_loop_.insert({loop_of(act), act.makes, node});
        if (act.makes)
          made_.insert({act.where.at.function, node});
        else
          first_end_.emplace(std::pair{act.where.at.function, node}, i);
      }
    }
  }

  static bool is_around_runs(const Located& where) {
    return where.heat.between_runs && where.at.function != where.heat.loop_function;
  }

  // A loop that sets up layer by layer may call what the training loop calls, too.
  void only_where_repeated(const Act& act) {
    reporter_.only_where([&](const Located& other) {
      Act there = act;
      there.where = other;
      return !is_around_runs(other) && !is_of_its_own_element(there) &&
             !(there.makes && only_on_a_miss(program_, other));
    });
  }

  bool is_container(const Act& act) const { return act.makes && fact_of(act).out_arg == kObject; }

  // device_vector<float> v; allocates nothing, and a container that outlives the iteration keeps what it once had.
  bool may_allocate(Act& act) const {
    const Event& event = api_event(act);
    if (is_container_constructor(event)) return !event.args.empty() && event.arg_constants[0] != 0;
    if (begins_in_loop(act)) return true;
    const std::string method = event.callee.substr(event.callee.rfind("::") + 2);
    if (method == "shrink_to_fit") return true;
    if (method == "erase") return event.arg_texts.size() != 2 || !event.arg_texts[1].ends_with("end()");
    if (method == "resize" || method == "reserve" || method == "assign") return false;
    act.where.heat.severity = std::min(act.where.heat.severity, Severity::kLow);  // it doubles: seldom
    return true;
  }

  // The container is made without memory in each iteration, so that each gives it some.
  bool begins_in_loop(const Act& act) const {
    const Site api = act.where.api;
    const auto& events = program_.function(api.function).events;
    const std::string& node = program_.event(api).object.node;
    if (node.empty()) return false;
    return std::any_of(events.begin(), events.end(), [&](const Event& event) {
      if (event.into != node || !is_container_constructor(event)) return false;
      const Heat heat = program_.heat(api.function, event.region);
      return heat.hot && !heat.dropped && in_one_loop(heat, act.where.heat);
    });
  }

  // The call in the loop itself that leads here; the place itself where that stands in the loop.
  Site step_of(const Act& act) const {
    const Located& where = act.where;
    if (where.at.function == where.heat.loop_function) return where.at;
    const auto& calls = *where.contexts;
    for (size_t i = calls.size() - where.inner.size(); i-- > 0;) {
      if (calls[i].call.function == where.heat.loop_function) return calls[i].call;
    }
    return where.at;
  }

  // Each iteration works on another element of something, and what it makes for that is not ended in the loop, or what
  // it ends was not made there: set-up or tear-down.
  bool is_of_its_own_element(const Act& act) const {
    const int loop = act.where.heat.loop_region;
    const Site step = step_of(act);
    if (step.function != act.where.heat.loop_function) return false;
    const Event& event = program_.event(step);
    const auto picked_by_loop = [&](const std::vector<int>& regions) {
      return std::find(regions.begin(), regions.end(), loop) != regions.end();
    };
    // layers[i]->init(): of a call further out the object counts, since what it is given may well be this step's batch.
    // upload(images + i): so may what a helper reads; what it makes is kept in one place.
    const bool slot = step == act.where.at && (program_.api(event) || event.into.empty());
    const bool direct = slot || event.object.kind == Value::Kind::kContent;
    if (!(direct && picked_by_loop(event.varies_with)) && !picked_by_loop(event.into_varies_with)) return false;
    return std::none_of(act.nodes.begin(), act.nodes.end(), [&](const std::string& node) {
      return in_loop_.count({loop_of(act), !act.makes, node}) != 0;
    });
  }

  // The first in the same function that ends what is made.
  const Act* end_of(const Act& made) const {
    size_t first = acts_.size();
    for (const std::string& node : made.nodes) {
      const auto end = first_end_.find({made.where.at.function, node});
      if (end != first_end_.end()) first = std::min(first, end->second);
    }
    return first < acts_.size() ? &acts_[first] : nullptr;
  }

  bool made_here(const Act& ended) const {
    return std::any_of(ended.nodes.begin(), ended.nodes.end(), [&](const std::string& node) {
      return made_.count({ended.where.at.function, node}) != 0;
    });
  }

  bool is_timed(const Act& act) const {
    return meet(act.nodes, timed_) || meet(kept_in(program_, act.where.api), timed_);
  }

  // What it costs, measured on an H200: see the rule's text.
  static std::string cost_of_making(const ApiFact& fact) {
    if (fact.creates == "event") return "creates an event";
    if (fact.creates == "stream") return "creates a stream";
    if (!fact.creates.empty()) return "sets up a library handle and allocates its workspace";
    if (fact.registers_arg != kNoArg) return "pins pages that exist already, one by one";
    if (fact.allocates == MemoryKind::kPinned) return "allocates pages and pins them one by one";
    return "takes the driver's lock and may wait for the device";
  }

  static std::string cost_of_ending(const ApiFact& fact) {
    if (fact.destroys == "event") return "destroys an event";
    if (fact.destroys == "stream") return "destroys a stream";
    return fact.destroys.empty() ? "waits for the device" : "gives up a library handle and waits for the device";
  }

  std::string message_of_making(const Act& act) const {
    const ApiFact& fact = fact_of(act);
    const std::string name = api_event(act).callee_name;
    if (!is_container(act)) return name + " " + cost_of_making(fact) + ", " + often(act.where.heat);
    if (is_container_constructor(api_event(act)))
      return name + " allocates when it is made and waits for the device when it ends, " + often(act.where.heat);
    return name + " allocates where the vector must grow, and frees what it had, " + often(act.where.heat);
  }

  // Events are cheap (0.7 to 3 us a pair), streams nearly so (5 to 19 us).
  static void cap_by_cost(Heat& heat, const std::string& object) {
    if (object == "event") heat.severity = std::min(heat.severity, Severity::kLow);
    if (object == "stream") heat.severity = std::min(heat.severity, Severity::kMedium);
  }

  std::string case_of(const Act& act) const {
    const ApiFact& fact = fact_of(act);
    const std::string& object = act.makes ? fact.creates : fact.destroys;
    if (object == "event") return is_timed(act) ? "timing" : "event";
    if (!object.empty()) return object;
    if (is_container(act)) return "vector";
    if (fact.registers_arg != kNoArg || (!act.makes && fact.frees == MemoryKind::kUnknown)) return "registration";
    if ((act.makes ? fact.allocates : fact.frees) == MemoryKind::kPinned) return "pinned";
    return act.where.inner.empty() ? "" : "wrapper";
  }

  void tell_making(const Act& act) {
    Located where = act.where;
    cap_by_cost(where.heat, fact_of(act).creates);
    std::string message = message_of_making(act);
    if (fact_of(act).creates == "event" && is_timed(act)) message += ", to take the time";
    const Act* end = end_of(act);
    Finding& finding = reporter_.report("alloc-in-loop", program_, where, message);
    reporter_.use_fix_for(finding, case_of(act));
    only_where_repeated(act);
    if (!end) return;
    const std::string what = api_event(*end).callee_name;
    const std::string verb = fact_of(*end).destroys.empty() ? "freed here: " : "destroyed here: ";
    // The end of a variable stands where it is declared: told is the call in its destructor.
    const Event& call = program_.event(end->where.at);
    const bool shown = call.place.line != finding.location.line;
    finding.release = to_location(shown ? call.place : api_event(*end).place);
    finding.path.push_back({finding.release, verb + what + " " + cost_of_ending(fact_of(*end))});
  }

  void tell_ending(const Act& act) {
    Located where = act.where;
    cap_by_cost(where.heat, fact_of(act).destroys);
    // if (memory) cudaFree(memory), if (memory) free_it(memory): nobody shows that each iteration has something to
    // free.
    const auto asks_at = [&](Site site) {
      return !program_.function(site.function).regions[program_.event(site).region].condition.empty();
    };
    const bool asks = asks_at(where.api) || std::any_of(where.inner.begin(), where.inner.end(), asks_at);
    if (asks) where.heat.severity = std::min(where.heat.severity, Severity::kMedium);
    Finding& finding =
        reporter_.report("alloc-in-loop", program_, where,
                         api_event(act).callee_name + " " + cost_of_ending(fact_of(act)) + ", " + often(where.heat));
    if (asks) finding.level = 1;
    only_where_repeated(act);
    reporter_.use_fix_for(finding, case_of(act));
  }

  const Program& program_;
  Reporter& reporter_;
  AllocationWrappers wrappers_;
  std::set<std::string> timed_;
  std::vector<Act> acts_;
  // Where it is kept: what the acts of a loop make (true) or end, what a function makes, and the first that ends it.
  std::set<std::tuple<std::pair<int, int>, bool, std::string>> in_loop_;
  std::set<std::pair<int, std::string>> made_;
  std::map<std::pair<int, std::string>, size_t> first_end_;
};

}  // namespace

void alloc_in_loop(const Program& program, Reporter& reporter) { Judge(program, reporter).run(); }

}  // namespace syncsniff::checks
