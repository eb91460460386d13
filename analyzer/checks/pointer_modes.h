// Whether cuBLAS writes a result to device memory: the pointer mode of the call's handle, determined from the settings
// of that handle in program order.
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

  // The handle of the API call is, or may be, in device pointer mode there.
  bool may_be_device(const Located& where) const;

 private:
  // A new handle is in host mode. kEntry: unchanged since the function was entered. kRestored: set to a mode that was
  // saved before.
  enum class Mode { kEntry, kHost, kDevice, kUnclear, kRestored };
  static Mode join(Mode a, Mode b);
  std::string handle_of(const Event& event) const;
  Site construction_of(Site end) const;
  bool is_argument(Site call, const std::string& handle) const;
  std::set<std::string> names_in(int callee, Site site, const std::string& handle) const;
  Mode set_by(Site site, const std::string& handle, int depth) const;
  Mode left_by(int function, const std::string& handle, int depth) const;
  Mode before(Site site, const std::string& handle) const;
  Mode at_entry(int function, const facts::Sum& handle, const program::Context* context, std::set<int>& seen) const;
  bool is_put_back_by_class(Site setting) const;
  Mode set_elsewhere(const std::string& handle) const;

  const Program& program_;
  std::vector<Site> settings_;
  std::vector<bool> sets_;  // by function: it sets a mode, directly or through calls
};

}  // namespace syncsniff::checks
