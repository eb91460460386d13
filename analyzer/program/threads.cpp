#include "analyzer/program/threads.h"

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/facts/words.h"
#include "analyzer/program/thread_events.h"

namespace syncsniff::program {

namespace {

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& node) { return b.count(node) != 0; });
}

// What a function tells other threads and waits for, event by event, with what the functions that it calls do so.
struct Signals {
  struct At {
    int event;
    std::set<std::string> told, waited;
  };
  std::map<int, std::vector<At>> of;

  Signals(const Code& code, const CallGraph& graph) {
    struct Own {
      std::set<std::string> told, waited;
      bool waits_first = false;
    };
    std::map<int, Own> functions;
    for (int f = 0; f < code.count(); ++f) {
      const auto& events = code.function(f).events;
      for (int e = 0; e < static_cast<int>(events.size()); ++e) {
        const std::string told = told_by(events[e]), waited = waited_by(events[e]);
        if (told.empty() && waited.empty()) continue;
        Own& own = functions[f];
        own.waits_first |= own.told.empty() && !waited.empty();
        At& at = of[f].emplace_back(At{e, {}, {}});
        for (std::set<std::string>* to : {&at.told, &own.told}) {
          if (!told.empty()) to->insert(told);
        }
        for (std::set<std::string>* to : {&at.waited, &own.waited}) {
          if (!waited.empty()) to->insert(waited);
        }
      }
    }
    // pop() waits for an element and then tells that there is room: that hands over nothing.
    for (const auto& [f, own] : functions) {
      for (const Site& caller : graph.callers(f)) {
        const std::set<std::string> nothing;
        of[caller.function].push_back({caller.event, own.waits_first ? nothing : own.told, own.waited});
      }
    }
    for (auto& [f, all] : of)
      std::sort(all.begin(), all.end(), [](const At& a, const At& b) { return a.event < b.event; });
  }
};

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

std::map<int, Site> waits_for_threads(const Code& code, const CallGraph& graph, const EffectTable& effects,
                                      const std::set<int>& threads, const std::function<bool(Site)>& is_hot) {
  std::map<int, Site> out;
  if (threads.empty()) return out;
  const Signals signals(code, graph);
  if (signals.of.empty()) return out;
  for (int thread : threads) {
    const std::set<int> body = reached_from(code, graph, thread);
    std::set<std::string> told, waited;
    for (int f : body) {
      const auto own = signals.of.find(f);
      if (own == signals.of.end()) continue;
      for (const Signals::At& at : own->second) {
        told.insert(at.told.begin(), at.told.end());
        waited.insert(at.waited.begin(), at.waited.end());
      }
    }
    for (const auto& [f, all] : signals.of) {
      if (body.count(f)) continue;
      int handed = -1;
      for (const Signals::At& at : all) {
        if (handed >= 0 && meet(at.waited, told) && !effects.launches_between(f, handed, at.event)) {
          if (is_hot({f, at.event}) && !out.count(thread)) out[thread] = {f, at.event};
        }
        if (meet(at.told, waited)) handed = at.event;
      }
    }
  }
  return out;
}

}  // namespace syncsniff::program
