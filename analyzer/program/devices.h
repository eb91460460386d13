// On which devices a tensor may be. Values are followed backwards, as for memory, and joined where an operation reads
// several tensors.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/program/provenance.h"

namespace syncsniff::program {

struct Devices {
  bool cpu = false, cuda = false, unknown = false, pinned = false;
  bool may_be_pageable = false;  // on the CPU and not pinned on some way to the place, though pinned on another
  bool unnamed = false;          // TensorOptions that name no device
  // On the CPU and not a single number, so all other operands of its operations are on the CPU, too.
  bool whole = false;
  bool unseen = false;  // code of unknown source may have produced it, and was passed nothing that is on the GPU

  bool empty() const { return !cpu && !cuda && !unknown; }
  // The union: either value is possible.
  Devices& operator|=(const Devices& other);
};

class TensorDevices {
 public:
  // `host_read`: see host_reads.h.
  TensorDevices(const Code& code, const Flows& flows, const CallGraph& graph, const Provenance& provenance,
                std::set<std::string> host_read)
      : code_(code), flows_(flows), graph_(graph), provenance_(provenance), host_read_(std::move(host_read)) {}

  Devices of(const Value& value, const Reading& at, const Context* context = nullptr) const;
  // From now on, a tensor in one of these functions of which nothing else is known counts as on the CPU (preparing.h).
  void set_preparing(std::vector<bool> functions) { prepares_ = std::move(functions); }

 private:
  const Code& code_;
  const Flows& flows_;
  const CallGraph& graph_;
  const Provenance& provenance_;
  const std::set<std::string> host_read_;
  std::vector<bool> prepares_;
  mutable std::map<Site, bool> given_gpu_;  // by call of a function of unknown source
};

}  // namespace syncsniff::program
