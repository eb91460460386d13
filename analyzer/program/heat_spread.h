// Computes the heat with which each function is entered. Heat starts at functions without callers, on threads and at
// entries, and spreads along calls. Each function keeps the heat of its hottest call, so that call paths can be read
// back.
#pragma once

#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/program/descent.h"

namespace syncsniff::program {

class HeatSpread {
 public:
  // `left_over`: no main() reaches this code, but a main() of another program launches GPU work.
  HeatSpread(const Linked& linked, const Loops& loops, const Descent& descent, bool left_over);

  const std::vector<Heat>& heat_in() const { return heat_in_; }
  // Entries whose input and output are both host memory of the caller.
  const std::set<int>& whole_jobs() const { return whole_jobs_; }

 private:
  void start_where_nobody_calls(bool left_over);
  void start_threads();
  std::set<std::string> kernels_behind(std::vector<int> functions) const;
  std::set<int> threads_that_use_gpu() const;
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
  const std::set<int> threads_;  // functions that run as a thread
  std::vector<Heat> heat_in_;
  // main() trains and reaches the function, so heat from functions that nobody calls is ignored
  std::vector<bool> settled_;
  std::set<int> whole_jobs_;
  std::deque<int> work_;  // functions whose heat has yet to spread
};

// Whether the outermost function on the path trains, but the loop that makes the place hot does not.
bool is_beside_training(const Heat& heat, const std::vector<Heat>& heat_in, const Learning& learning);

void lower_dead_code(Heat& heat, const Function& function, Severity most);

}  // namespace syncsniff::program
