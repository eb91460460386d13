// One search for the device of a tensor (devices.h), backwards from a value to the operations that produced it, through
// the assignments to its variables.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/program/devices.h"

namespace syncsniff::program {

class DeviceSearch {
 public:
  // The inputs of a search, and a cache that later searches reuse.
  struct Sources {
    const Code& code;
    const Flows& flows;
    const CallGraph& graph;
    const Provenance& provenance;
    const std::set<std::string>& host_read;
    const std::vector<bool>& prepares;
    std::map<Site, bool>& given_gpu;  // by call of a function of unknown source
  };
  explicit DeviceSearch(const Sources& sources, bool asks_calls = true) : sources_(sources), asks_calls_(asks_calls) {}

  Devices of_value(const Value& value, const Reading& at, const Context* context);

 private:
  Devices of_whole_operands(const Value& value, const Reading& at, const Context* context);
  Devices of_tensor(const Value& value, const Reading& at, const Context* context);
  Devices of_call(const Value& value, const Reading& at, const Context* context);
  std::vector<Devices> of_operands(const Value& value, const Reading& at, const Context* context);
  // device_nodes.cpp
  Devices of_node(const std::string& node, const Reading& at, const Context* context);
  enum class Given { kItself, kElements };
  Devices of_parameter(const std::string& node, Given given, const Reading& at, const Context* context);
  Devices of_written(const std::string& node, const Reaching& reached, const Reading& at);
  Devices of_stored(facts::Text stored, Site call, int callee);
  bool loader_pins(const std::string& field, const std::vector<Value>& classes);
  Devices made_out_of_sight(Site call) const;
  Devices not_known(const Reading& at) const;
  std::string part() const;

  static constexpr int kMostSteps = 64;  // from a tensor back to the operation that produced it

  const Sources sources_;
  const bool asks_calls_;  // whether code of unknown source may have produced it; false in nested searches for that
  Visits visits_;
  int depth_ = 0;
  std::vector<int> elements_;  // indices into nested tuples or pairs that are searched for, the outermost last
};

}  // namespace syncsniff::program
