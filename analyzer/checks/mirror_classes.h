// Finds classes that keep memory on both host and device and copy it when a state (a flag or an enumeration in the
// class) says that the other copy is newer. They are recognised by structure alone: a copy between host and device runs
// only for certain values of the state, and the copying function sets the state.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/copies.h"

namespace syncsniff::checks {

class MirrorClasses {
 public:
  explicit MirrorClasses(const Program& program);

  bool empty() const { return states_.empty(); }
  // Whether the copy, or the call of a function that copies, runs only for certain values of a state.
  bool is_lazy(Site site) const { return lazy_.count(site) != 0; }
  bool is_lazy(const Located& where) const;
  // The direction of the copy that the site makes itself or through a call.
  std::optional<Direction> copy_at(Site site) const;
  bool is_state(const std::string& field) const { return states_.count(field) != 0; }
  // The function itself sets or tests such a state.
  bool is_accessor(int function) const { return accessors_.count(function) != 0; }
  // The function, or one that it calls, sets or tests such a state.
  bool leads_to_accessor(int function) const { return leads_[function]; }
  // The class whose state the field is; the fields of one class that are states; and all combinations of values that
  // these fields can have.
  const std::string& class_of(const std::string& field) const { return states_.at(field); }
  const std::vector<std::string>& fields_of(const std::string& class_name) const { return fields_.at(class_name); }
  const std::vector<std::vector<long long>>& values_of(const std::string& class_name) const {
    return combinations_.at(class_name);
  }

 private:
  using Fields = std::set<std::string>;
  void find_copies();
  void look_for_writes();
  void look_for_lazy_copies(int function, const std::vector<facts::StateStep>& steps, const Fields& tested);
  void note_values(int function, const facts::StateTerm& term);
  void note_writes(int function, const std::vector<facts::StateStep>& steps);
  void add_tested(int function, const facts::StateTerm& term, Fields& out, int depth = 0) const;
  Fields written_by(int function) const;
  bool only_copies(int function) const;
  void number_states();
  void find_accessors();
  bool looks_at_itself(int function) const;
  void find_lazy_functions();

  const Program& program_;
  std::map<Site, Direction> copies_;
  std::map<std::string, std::set<long long>> constants_;  // values that a field is set to or compared with
  std::map<int, Fields> writes_;
  Fields unclear_;  // fields assigned in a way that leaves their value unknown, such as counters
  std::map<std::string, std::string> states_;  // field -> class
  std::map<std::string, std::vector<std::string>> fields_;
  std::map<std::string, std::vector<std::vector<long long>>> combinations_;
  std::set<Site> lazy_;
  std::set<int> lazy_functions_, accessors_;
  std::vector<bool> leads_;
};

}  // namespace syncsniff::checks
