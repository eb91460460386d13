#include "analyzer/program/evaluations.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace syncsniff::program {

namespace {

// Functions reached from one loop; with more, nothing is concluded about the loop.
constexpr size_t kMostReached = 2000;
constexpr size_t kMostLoops = 64;  // loops of one function

// What a loop launches; copies do not count.
struct Work {
  std::set<std::string_view> launched;  // kernels and library functions
  std::set<std::string_view> updates;   // those of them that are kernels which update memory in place
};

class WorkReader {
 public:
  WorkReader(const Code& code, const CallGraph& graph) : code_(code), graph_(graph) {}

  // Empty if too many functions are reached.
  Work of(int function, int region) const {
    Work work;
    std::set<int> reached;
    std::vector<int> open;
    read(function, region, work, open);
    while (!open.empty()) {
      const int next = open.back();
      open.pop_back();
      if (!reached.insert(next).second) continue;
      if (reached.size() > kMostReached) return {};
      read(next, 0, work, open);
    }
    return work;
  }

 private:
  void read(int function, int region, Work& work, std::vector<int>& open) const {
    const Function& f = code_.function(function);
    for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
      const Event& event = f.events[e];
      if (!code_.inside(f, event.region, region)) continue;
      const std::vector<int>& to = graph_.callees({function, e});
      open.insert(open.end(), to.begin(), to.end());
      const ApiFact* fact = code_.api(event);
      const bool of_library = event.kind == Event::Kind::kApi && fact && fact->enqueues && !fact->copy;
      if (event.kind != Event::Kind::kLaunch && !of_library) continue;
      work.launched.insert(event.callee.id);
      const facts::KernelBody* kernel = kernel_of(code_, event);
      if (kernel && !kernel->updates.empty()) work.updates.insert(event.callee.id);
    }
  }

  const Code& code_;
  const CallGraph& graph_;
};

// Whether `whole` launches all that `part` launches, and `part` does not launch all updates of `whole`.
bool leaves_out_updates(const Work& part, const Work& whole) {
  const auto is_left_out = [&](std::string_view update) { return part.launched.count(update) == 0; };
  return !part.launched.empty() &&
         std::includes(whole.launched.begin(), whole.launched.end(), part.launched.begin(), part.launched.end()) &&
         std::any_of(whole.updates.begin(), whole.updates.end(), is_left_out);
}

}  // namespace

Evaluations::Evaluations(const Code& code, const CallGraph& graph, const FeedingLoops& feeding) {
  const WorkReader reader(code, graph);
  for (int f = 0; f < code.count(); ++f) {
    const Function& function = code.function(f);
    std::vector<int> loops;
    for (int r = 0; r < static_cast<int>(function.regions.size()); ++r)
      if (feeding.is_feeding_loop(f, r)) loops.push_back(r);
    if (loops.size() > kMostLoops) continue;
    std::map<int, Work> works;  // by loop, if it has sibling loops
    const auto work_of = [&](int loop) -> const Work& {
      const auto [known, fresh] = works.try_emplace(loop);
      if (fresh) known->second = reader.of(f, loop);
      return known->second;
    };
    for (const int part : loops) {
      for (const int whole : loops) {
        const bool nested = code.inside(function, part, whole) || code.inside(function, whole, part);
        if (!nested && leaves_out_updates(work_of(part), work_of(whole))) found_.emplace(f, part);
      }
    }
  }
}

}  // namespace syncsniff::program
