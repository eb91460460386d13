// Interprets a hot loop with the possible states of each object with mirrored memory (mirror_classes.h) that it uses.
// Finds the accesses that copy because the other side is newer, and the earlier access in the loop that made it newer.
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
// the copy, which is the last one.
struct MirrorPair {
  Site writing, reading;
  std::vector<Site> inner;
  // The innermost few calls from the loop to the function that reads, outermost first; other call paths may lead there.
  std::vector<Site> calls;
  Direction direction = Direction::kUnknown;
  bool unsure = false;  // the object is an element chosen by an index, so the two accesses may be to different objects
};

class MirrorRun {
 public:
  MirrorRun(const Program& program, const MirrorClasses& classes) : program_(program), classes_(classes) {}
  // The pairs in the loop `region`; empty also if the loop is too large to interpret.
  std::vector<MirrorPair> pairs(int function, int region);

 private:
  // Possible values of an object's states, and the access that set them; -1: an access before the loop.
  struct Element {
    std::vector<long long> values;
    int writer = -1;
    bool operator<(const Element& o) const { return values != o.values ? values < o.values : writer < o.writer; }
  };
  using Elements = std::set<Element>;
  // By object and class; an object without an entry may have any state.
  using Machine = std::map<std::string, Elements>;
  // A branch that depended on an object's states, and the accesses that set these states.
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
    // While steps are interpreted: the states with which paths have already returned, and the state tests passed on the
    // way.
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
