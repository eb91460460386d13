// Whether cuBLAS writes a result to device memory. This depends on the pointer mode of the call's handle, which is
// computed from the calls that set it, in program order.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/facts/sums.h"

namespace syncsniff::checks {

class PointerModes {
 public:
  explicit PointerModes(const Program& program);

  // Whether the API call's handle is, or may be, in device pointer mode at the call.
  bool may_be_device(const Located& where) const;

 private:
  // A set of modes that a handle may be in. A new handle is in host mode. kEntry: unchanged since the function was
  // entered. kRestored: set back to a mode that was saved before.
  enum Modes : unsigned { kEntry = 1, kHost = 2, kDevice = 4, kRestored = 8 };
  static Modes join(Modes a, Modes b) { return static_cast<Modes>(a | b); }
  // The effect of `first` followed by `next`; a kEntry in `next` keeps the modes of `first`.
  static Modes then(Modes first, Modes next);
  class Flow;
  struct Setting {
    Modes modes;
    int region, block;
  };
  std::string handle_of(const Event& event) const;
  Site construction_of(Site end) const;
  bool is_argument(Site call, const std::string& handle) const;
  std::set<std::string> names_in(int callee, Site site, const std::string& handle) const;
  Modes set_by(Site site, const std::string& handle, int depth) const;
  Modes left_by(int function, const std::string& handle, int depth) const;
  std::vector<Setting> settings_in(int function, int from, int to, const std::string& handle, int depth) const;
  Modes left_by_iteration(Site site, const std::string& handle, const std::vector<Setting>& ahead) const;
  Modes before(Site site, const std::string& handle) const;
  Modes at_entry(int function, const facts::Sum& handle, const program::Context* context, std::set<int>& seen) const;
  bool is_put_back_by_class(Site setting) const;
  Modes set_elsewhere(const std::string& handle) const;

  const Program& program_;
  std::vector<Site> settings_;
  std::vector<bool> sets_;  // by function: it sets a mode, directly or through calls
};

}  // namespace syncsniff::checks
