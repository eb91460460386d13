// What each function, event and region may do on the GPU and the host, directly or through calls.
#pragma once

#include <set>
#include <vector>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/devices.h"

namespace syncsniff::program {

struct Effects {
  bool launches = false;  // kernels, library kernels or tensor operations, directly or through calls
  bool enqueues = false;  // any GPU work, including copies
  bool waits = false;     // may block the host on the device
  bool unknown = false;   // calls code of unknown source, or lets another thread or process run first

  Effects& operator|=(const Effects& other) {
    launches |= other.launches;
    enqueues |= other.enqueues;
    waits |= other.waits;
    unknown |= other.unknown;
    return *this;
  }
  bool operator==(const Effects&) const = default;
};

// Whether a call of the library function may make the host wait for the device.
bool may_wait(const ApiFact& api);

class EffectTable {
 public:
  EffectTable(const Code& code, const Flows& flows, const CallGraph& graph, const TensorDevices& devices,
              bool uses_cuda_tensors);
  // Recomputes the effects after calls were added to the graph. Work found before, and calls found to be of unknown
  // source, stay so.
  void update();

  const Effects& of(int function) const { return effects_[function]; }
  Effects of(Site site) const;
  // The effects of the region, without those parts of it that rarely or never run: error paths, lazy initialisation.
  const Effects& of_region(int function, int region) const { return region_effects_[function][region]; }
  // Whether something is launched between the two events of the function.
  bool launches_between(int function, int first, int last) const;
  // Operations that enqueue work on tensors which may be on the GPU.
  const std::set<Site>& tensor_work() const { return tensor_work_; }

 private:
  void find_tensor_work();
  void find_unknown();
  void fill_regions(int function);

  const Code& code_;
  const CallGraph& graph_;
  const TensorDevices& devices_;
  const bool uses_cuda_tensors_;
  std::set<Site> tensor_work_, unknown_;  // unknown: see Effects::unknown
  const std::set<Site> fills_;            // device_memory.h
  std::vector<Effects> effects_;
  std::vector<std::vector<Effects>> region_effects_;
};

}  // namespace syncsniff::program
