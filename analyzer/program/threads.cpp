#include "analyzer/program/threads.h"

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/facts/words.h"
#include "analyzer/program/regions.h"
#include "analyzer/program/thread_events.h"

namespace syncsniff::program {

namespace {

std::string_view node_of(std::string_view signalled) { return signalled.substr(0, signalled.rfind('|')); }

// Whether both nodes are the same field of the same object. If only one names the object, it matches any: a method of
// the class itself names none.
bool is_same(std::string_view a, std::string_view b) {
  return a == b || (node_of(a) == node_of(b) && (node_of(a) == a || node_of(b) == b));
}

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& node) {
    return std::any_of(b.begin(), b.end(), [&](const std::string& other) { return is_same(node, other); });
  });
}

// Adds the object to each field: full.push() and empty.push() signal through the same field of two objects.
std::set<std::string> of_object(const std::set<std::string>& nodes, std::string_view object) {
  if (object.empty()) return nodes;
  std::set<std::string> out;
  for (const std::string& node : nodes) out.insert(node.starts_with("f:") ? node + '|' + std::string(object) : node);
  return out;
}

// By function and event: what it signals to other threads, and what it waits for, directly or in a callee.
struct Signals {
  struct At {
    int event;
    std::set<std::string> signalled, waited;
  };
  std::map<int, std::vector<At>> of;
  std::set<int> called_on_objects;  // functions whose callers name the object whose fields are signalled

  Signals(const Code& code, const CallGraph& graph) {
    std::map<int, Own> functions;
    for (int f = 0; f < code.count(); ++f) {
      const Own own = read(code, f);
      if (!own.signalled.empty() || !own.waited.empty()) functions.emplace(f, own);
    }
    for (const auto& [f, own] : functions) add_callers(code, graph, f, own);
    for (auto& [f, all] : of)
      std::sort(all.begin(), all.end(), [](const At& a, const At& b) { return a.event < b.event; });
  }

 private:
  struct Own {
    std::set<std::string> signalled, waited;
    bool waits_first = false;
  };

  // What the function signals and waits for itself.
  Own read(const Code& code, int f) {
    Own own;
    const auto& events = code.function(f).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      const std::string signalled = signalled_object(events[e]), waited = awaited_object(events[e]);
      if (signalled.empty() && waited.empty()) continue;
      own.waits_first |= own.signalled.empty() && !waited.empty();
      At& at = of[f].emplace_back(At{e, {}, {}});
      for (std::set<std::string>* to : {&at.signalled, &own.signalled}) {
        if (!signalled.empty()) to->insert(signalled);
      }
      for (std::set<std::string>* to : {&at.waited, &own.waited}) {
        if (!waited.empty()) to->insert(waited);
      }
    }
    return own;
  }

  // pop() waits for an element and then signals that there is room; this hands over no work, so the signal is ignored.
  void add_callers(const Code& code, const CallGraph& graph, int f, const Own& own) {
    bool all_of_objects = !graph.callers(f).empty();
    for (const Site& caller : graph.callers(f)) {
      const facts::Text& object = code.event(caller).object.node;
      all_of_objects &= !object.empty();
      const std::set<std::string> nothing;
      of[caller.function].push_back(
          {caller.event, of_object(own.waits_first ? nothing : own.signalled, object), of_object(own.waited, object)});
    }
    if (all_of_objects) called_on_objects.insert(f);
  }
};

// Whether the signal is sent in the loop that waits. Buffers that are handed out once before the loop request no work
// in its iterations.
bool loops_agree(const Code& code, int function, int handed, int waiting) {
  const Function& f = code.function(function);
  const int loop = outermost_loop(f, f.events[waiting].region);
  return loop < 0 || code.inside(f, f.events[handed].region, loop);
}

// The loop in which the thread's function signals what another thread waits for; -1: it signals outside of loops or in
// another function.
int signalling_loop(const Code& code, const Signals& signals, int thread, const std::set<std::string>& waited) {
  const auto own = signals.of.find(thread);
  if (own == signals.of.end()) return -1;
  const Function& f = code.function(thread);
  for (const Signals::At& at : own->second)
    if (meet(at.signalled, waited)) return outermost_loop(f, f.events[at.event].region);
  return -1;
}

struct Exchanged {
  std::set<std::string> signalled, waited;
};
Exchanged exchanged_in(const Signals& signals, const std::set<int>& functions) {
  Exchanged all;
  for (int f : functions) {
    const auto own = signals.of.find(f);
    if (own == signals.of.end() || signals.called_on_objects.count(f)) continue;
    for (const Signals::At& at : own->second) {
      all.signalled.insert(at.signalled.begin(), at.signalled.end());
      all.waited.insert(at.waited.begin(), at.waited.end());
    }
  }
  return all;
}

std::set<int> reached_from(const Code& code, const CallGraph& graph, int function) {
  constexpr size_t kMost = 256;
  std::vector<int> open{function};
  std::set<int> seen{function};
  for (size_t i = 0; i < open.size() && i < kMost; ++i) {
    for (int e = 0; e < static_cast<int>(code.function(open[i]).events.size()); ++e) {
      for (int callee : graph.callees({open[i], e})) {
        if (seen.insert(callee).second) open.push_back(callee);
      }
    }
  }
  return seen;
}

}  // namespace

std::set<int> thread_functions(const Code& code, const Provenance& provenance) {
  std::set<int> out;
  for (int f = 0; f < code.count(); ++f) {
    for (const Event& event : code.function(f).events) {
      const std::string name = facts::last_name(event.callee.name);
      if (name != "thread" && name != "jthread" && name != "async" && name != "pthread_create") continue;
      for (const Value& arg : facts::values(event.args)) {
        for (const std::string& usr : provenance.function_values(arg, f)) {
          if (int callee = code.find(usr); callee >= 0) out.insert(callee);
        }
      }
    }
  }
  return out;
}

std::map<int, Service> services_of(const Code& code, const CallGraph& graph, const EffectTable& effects,
                                   const std::set<int>& threads, const std::function<bool(Site)>& is_hot) {
  std::map<int, Service> out;
  if (threads.empty()) return out;
  const Signals signals(code, graph);
  if (signals.of.empty()) return out;
  for (int thread : threads) {
    const std::set<int> body = reached_from(code, graph, thread);
    const auto [signalled, waited] = exchanged_in(signals, body);
    for (const auto& [f, all] : signals.of) {
      if (body.count(f)) continue;
      int handed = -1;
      for (const Signals::At& at : all) {
        if (handed >= 0 && meet(at.waited, signalled) && loops_agree(code, f, handed, at.event) &&
            !effects.launches_between(f, handed, at.event) && is_hot({f, at.event}))
          out.try_emplace(thread, Service{{f, at.event}, signalling_loop(code, signals, thread, at.waited)});
        if (meet(at.signalled, waited)) handed = at.event;
      }
    }
  }
  return out;
}

}  // namespace syncsniff::program
