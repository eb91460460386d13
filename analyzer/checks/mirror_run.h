// Interprets a hot loop with the states of the mirrored memory that it uses (mirror_classes.h), object by object: which
// access finds the other side newer and so copies, and which earlier access in the loop made it newer.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/checks/mirror_classes.h"
#include "analyzer/facts/sums.h"

namespace syncsniff::checks {

// An access (`reading`) that copies because of another access (`writing`). `inner`: the calls from `reading` down to
// the copy, which is the last.
struct MirrorPair {
  Site writing, reading;
  std::vector<Site> inner;
  std::vector<Site> calls;  // the last few from the loop to the reading function, outermost first: it may have others
  Direction direction = Direction::kUnknown;
  bool unsure = false;  // the object is an element chosen by an index, so it may be another one
};

class MirrorRun {
 public:
  MirrorRun(const Program& program, const MirrorClasses& classes) : program_(program), classes_(classes) {}
  // Also empty where the loop is too large to interpret.
  std::vector<MirrorPair> pairs(int function, int region);

 private:
  // Possible values of an object's states, and the access that set them; -1: an access before the loop.
  struct Element {
    std::vector<long long> values;
    int writer = -1;
    bool operator<(const Element& o) const { return values != o.values ? values < o.values : writer < o.writer; }
  };
  using Elements = std::set<Element>;
  using Machine = std::map<std::string, Elements>;  // by object and class; a missing object may have any state
  // A branch that depended on an object's states, with the accesses that had set those states.
  struct Decision {
    std::string key;
    std::set<int> writers;
  };
  struct Frame {
    int function = -1;
    Site call;  // the call that entered this frame
    facts::CallArguments given;
    const Frame* outer = nullptr;
    int depth = 0;
    int last_event = 0;
    // While steps are interpreted: the states in which paths have already returned, and the state tests that led here.
    Machine left;
    bool has_left = false;
    std::vector<Decision> decisions;
  };

  bool spend();
  void run_function(Frame& frame, Machine& machine);
  void run_regions(Frame& frame, int region, size_t& at, Machine& machine);
  void run_child(Frame& frame, int child, size_t& at, Machine& machine);
  void run_event(Frame& frame, int event, Machine& machine);
  bool run_steps(Frame& frame, const std::vector<facts::StateStep>& steps, Machine& machine);
  bool run_choice(Frame& frame, const facts::StateStep& step, Machine& machine);
  void write(Frame& frame, const facts::StateStep& step, Machine& machine);
  void copy(const Frame& frame, int event, Direction direction);
  static void decide(Frame& frame, const std::set<std::string>& keys, const Machine& machine);

  const std::vector<facts::StateStep>* loop_steps(const std::vector<facts::StateStep>& steps, int function,
                                                  int region) const;
  const std::vector<int>& relevant_events(int function);
  Frame enter(const Frame& frame, Site site, int callee) const;
  std::string key_of(const Frame& frame, const facts::StateTerm& field) const;
  void add_keys(const Frame& frame, const facts::StateTerm& term, std::set<std::string>& out, int depth = 0) const;
  std::optional<long long> value_of(const Frame& frame, const facts::StateTerm& term, const std::string& key,
                                    const Element& element, int depth = 0) const;
  Elements& elements(Machine& machine, const std::string& key) const;
  Elements anything(const std::string& key) const;
  void merge(Machine& into, const Machine& other) const;
  void forget_elements(Machine& machine) const;
  int access(const Frame& frame, const std::string& key, int event, MirrorPair* pair);
  bool hands_out(const Frame& entered, const std::string& path) const;

  const Program& program_;
  const MirrorClasses& classes_;
  std::map<int, std::vector<int>> relevant_;
  std::vector<Site> accesses_;
  std::map<std::tuple<Site, Site, std::vector<Site>>, MirrorPair> pairs_;
  bool recording_ = false;
  int spent_ = 0, spent_in_all_ = 0;
};

}  // namespace syncsniff::checks
