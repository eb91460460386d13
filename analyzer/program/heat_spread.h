// The heat that each function is entered with: it starts where nobody calls, on threads and at entries, and spreads
// along calls. Each function keeps the hottest way in; paths are read back along those.
#pragma once

#include <deque>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/program/descent.h"

namespace syncsniff::program {

class HeatSpread {
 public:
  // `left_over`: no main() reaches this code, and a main() of another program launches GPU work.
  HeatSpread(const Linked& linked, const Loops& loops, const Descent& descent, bool left_over);

  const std::vector<Heat>& heat_in() const { return heat_in_; }
  // Entries that go from the caller's host memory to the caller's host memory.
  const std::set<int>& whole_jobs() const { return whole_jobs_; }

 private:
  void start_where_nobody_calls(bool left_over);
  void start_threads();
  void start_entries();
  void start_cycles();

  void start(int function);
  void spread();
  void spread_through(Site call, int callee);
  void take(int callee, Heat heat);
  Heat heat(Site site) const;
  bool feeds_itself() const;
  std::vector<int> find_entries();
  std::set<std::string_view> classes_used_here() const;
  bool is_handed_over_outside_loops(int job) const;
  void drop_where_handed_over(int function, Heat& heat) const;

  const Linked& linked_;
  const Code& code_;
  const CallGraph& graph_;
  const Loops& loops_;
  const Descent& descent_;
  const std::set<int> threads_;  // functions that run on a thread of their own
  std::vector<Heat> heat_in_;
  std::vector<bool> settled_;  // main() comes to it, and trains: functions that nobody calls change nothing
  std::set<int> whole_jobs_;
  std::deque<int> work_;  // functions whose heat has yet to spread
};

// The outermost loop around holds no learning, and the program that it stands in learns elsewhere.
bool is_beside_training(const Heat& heat, const std::vector<Heat>& heat_in, const Learning& learning);

void lower_dead_code(Heat& heat, const Function& function, Severity most);

}  // namespace syncsniff::program
