// Where a tensor may live: followed backwards like memory, joined where an operation reads several tensors.
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
  bool unnamed = false;  // options that name no device
  bool whole = false;    // on the CPU, and no single number: only tensors of the CPU can be computed with it
  bool unseen = false;   // code out of sight may have made it, from nothing that is on the GPU

  bool empty() const { return !cpu && !cuda && !unknown; }
  // One of either.
  Devices& operator|=(const Devices& other);
};

class TensorDevices {
 public:
  // `host_read`: see host_reads.h.
  TensorDevices(const Code& code, const Flows& flows, const CallGraph& graph, const Provenance& provenance,
                std::set<std::string> host_read)
      : code_(code), flows_(flows), graph_(graph), provenance_(provenance), host_read_(std::move(host_read)) {}

  Devices of(const Value& value, const Reading& at, const Context* context = nullptr) const;
  // From here on a tensor of which nothing is known lives on the CPU in these functions (preparing.h).
  void set_preparing(std::vector<bool> functions) { prepares_ = std::move(functions); }

 private:
  const Code& code_;
  const Flows& flows_;
  const CallGraph& graph_;
  const Provenance& provenance_;
  const std::set<std::string> host_read_;
  std::vector<bool> prepares_;
  mutable std::map<Site, bool> given_gpu_;  // of calls out of sight
};

}  // namespace syncsniff::program
