#include "analyzer/program/recursion.h"

#include <algorithm>
#include <utility>

#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

bool is_returned(const Function& f, const Event& call) {
  return std::any_of(f.events.begin(), f.events.end(), [&](const Event& event) {
    return event.kind == Event::Kind::kReturn && event.region == call.region &&
           event.place.offset == call.place.offset && event.place.length == call.place.length;
  });
}

// Numbers the functions by the cycle of calls that they are on; -1: none. Uses Tarjan's algorithm without recursion,
// since a chain of calls may be as long as the program.
class Cycles {
 public:
  explicit Cycles(const std::vector<std::vector<int>>& calls)
      : calls_(calls), index_(calls.size(), -1), low_(calls.size(), 0), open_(calls.size(), false) {
    of_.assign(calls.size(), -1);
    for (int f = 0; f < static_cast<int>(calls.size()); ++f) {
      if (index_[f] < 0) visit_from(f);
    }
  }
  int of(int function) const { return of_[function]; }

 private:
  void open(int f) {
    index_[f] = low_[f] = count_++;
    open_[f] = true;
    stack_.push_back(f);
    path_.emplace_back(f, 0);
  }

  void visit_from(int root) {
    open(root);
    while (!path_.empty()) {
      const int f = path_.back().first;
      if (path_.back().second < calls_[f].size()) {
        const int next = calls_[f][path_.back().second++];
        if (index_[next] < 0)
          open(next);
        else if (open_[next])
          low_[f] = std::min(low_[f], index_[next]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().first] = std::min(low_[path_.back().first], low_[f]);
      if (low_[f] == index_[f]) close(f);
    }
  }

  void close(int f) {
    const bool alone = stack_.back() == f;
    const bool calls_itself = std::find(calls_[f].begin(), calls_[f].end(), f) != calls_[f].end();
    for (int member = -1; member != f;) {
      member = stack_.back();
      stack_.pop_back();
      open_[member] = false;
      of_[member] = alone && !calls_itself ? -1 : f;
    }
  }

  const std::vector<std::vector<int>>& calls_;
  std::vector<int> index_, low_, of_, stack_;
  std::vector<bool> open_;
  std::vector<std::pair<int, size_t>> path_;
  int count_ = 0;
};

// Whether the call repeats its function's GPU work. `return f(smaller)` before all work only restarts the function with
// other arguments; so does a retry after an error.
bool goes_deeper(const Code& code, const CallGraph& graph, const EffectTable& effects, Site call) {
  const Function& f = code.function(call.function);
  const Event& event = f.events[call.event];
  if (is_off_or_once(f, event.region)) return false;
  if (!is_returned(f, event)) return true;
  for (int e = 0; e < call.event; ++e) {
    const std::vector<int>& to = graph.callees({call.function, e});
    const bool itself = std::find(to.begin(), to.end(), call.function) != to.end();
    if (itself || (effects.of({call.function, e}).enqueues && code.inside(f, event.region, f.events[e].region)))
      return true;
  }
  return false;
}

// -1: none is named, or any of several may run.
int named_callee(const Code& code, const CallGraph& graph, Site call) {
  const Event& event = code.event(call);
  if (event.kind != Event::Kind::kCall || event.callee.is_virtual) return -1;
  // go(depth - 1) in a lambda that is stored in `go`: the call has one possible callee.
  const std::vector<int>& to = graph.callees(call);
  return event.callee.indirect && to.size() == 1 ? to.front() : code.find(event.callee.id);
}

}  // namespace

// Only calls that name their callee count: through a virtual call, a container of layers would seem to call itself.
std::vector<bool> recursive_functions(const Code& code, const CallGraph& graph, const EffectTable& effects) {
  const int count = code.count();
  std::vector<std::vector<int>> calls(count);
  std::vector<std::vector<int>> events(count);
  for (int f = 0; f < count; ++f) {
    if (!effects.of(f).launches) continue;
    for (int e = 0; e < static_cast<int>(code.function(f).events.size()); ++e) {
      const int callee = named_callee(code, graph, {f, e});
      if (callee < 0 || !effects.of(callee).launches) continue;
      calls[f].push_back(callee);
      events[f].push_back(e);
    }
  }
  // Few calls are on a cycle, and only these are examined closely.
  const Cycles all(calls);
  std::vector<std::vector<int>> deeper(count);
  for (int f = 0; f < count; ++f) {
    for (size_t i = 0; i < calls[f].size(); ++i) {
      const bool on_cycle = all.of(f) >= 0 && all.of(f) == all.of(calls[f][i]);
      if (on_cycle && goes_deeper(code, graph, effects, {f, events[f][i]})) deeper[f].push_back(calls[f][i]);
    }
  }
  const Cycles cycles(deeper);
  std::vector<bool> recursive(count);
  for (int f = 0; f < count; ++f) recursive[f] = cycles.of(f) >= 0;
  return recursive;
}

}  // namespace syncsniff::program
