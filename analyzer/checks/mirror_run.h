// Goes through a hot loop with the states of the mirrored memory that it uses (mirror_classes.h), object by object:
// which access finds the other side newer and copies, and which earlier access in the loop made it so.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/mirror_classes.h"
#include "analyzer/facts/sums.h"

namespace syncsniff::checks {

// One access that copies because of another. Sites outermost first: the last one of `inner` is the copy.
struct MirrorPair {
  Site writing, reading;
  std::vector<Site> inner;
  Direction direction = Direction::kUnknown;
  bool unsure = false;  // which object that is, is not known: an element that an index picks
};

class MirrorRun {
 public:
  MirrorRun(const Program& program, const MirrorClasses& classes) : program_(program), classes_(classes) {}
  // Empty, too, where the loop holds more than can be gone through.
  std::vector<MirrorPair> pairs(int function, int region);

 private:
  // What the states of one object may be, and the access that made them so; -1: one before the loop.
  struct Element {
    std::vector<long long> values;
    int writer = -1;
    bool operator<(const Element& o) const { return values != o.values ? values < o.values : writer < o.writer; }
  };
  using Elements = std::set<Element>;
  using Machine = std::map<std::string, Elements>;  // by object and class; one that is not there may be anything
  // The states of an object decided what runs; they were what these accesses had made of them.
  struct Decision {
    std::string key;
    std::set<int> writers;
  };
  struct Frame {
    int function = -1;
    Site call;  // that entered it
    facts::CallArguments given;
    const Frame* outer = nullptr;
    int depth = 0;
    int last_event = 0;
    // While steps are run: what has returned already, and which states decided that this runs.
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
  int access(const Frame& frame, const std::string& key, int event, std::vector<Site>* inner);
  bool hands_out(const Frame& entered, const std::string& path) const;

  const Program& program_;
  const MirrorClasses& classes_;
  std::map<int, std::vector<int>> relevant_;
  std::vector<Site> accesses_;
  std::map<std::pair<Site, Site>, MirrorPair> pairs_;
  bool recording_ = false;
  int spent_ = 0, spent_in_all_ = 0;
};

}  // namespace syncsniff::checks
