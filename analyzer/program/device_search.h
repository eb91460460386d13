// One search for where a tensor may live (devices.h): from a value back to what made it, through what its variables
// were given.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/program/devices.h"

namespace syncsniff::program {

class DeviceSearch {
 public:
  // What searches take, and what they have found out for those that follow.
  struct Sources {
    const Code& code;
    const Flows& flows;
    const CallGraph& graph;
    const Provenance& provenance;
    const std::set<std::string>& host_read;
    const std::vector<bool>& prepares;
    std::map<Site, bool>& given_gpu;  // of calls out of sight
  };
  explicit DeviceSearch(const Sources& sources, bool asks_calls = true) : sources_(sources), asks_calls_(asks_calls) {}

  Devices of_value(const Value& value, const Reading& at, const Context* context);

 private:
  Devices of_tensor(const Value& value, const Reading& at, const Context* context);
  Devices of_call(const Value& value, const Reading& at, const Context* context);
  std::vector<Devices> of_operands(const Value& value, const Reading& at, const Context* context);
  // device_nodes.cpp
  Devices of_node(const std::string& node, const Reading& at, const Context* context);
  enum class Given { kItself, kElements };
  Devices of_parameter(const std::string& node, Given given, const Reading& at, const Context* context);
  Devices of_written(const std::string& node, const Reaching& reached, const Reading& at);
  bool loader_pins(const std::string& field, const std::vector<Value>& classes);
  Devices made_out_of_sight(Site call) const;
  Devices not_known(const Reading& at) const;
  std::string part() const;

  static constexpr int kMostSteps = 64;  // from a tensor back to what made it

  const Sources sources_;
  const bool asks_calls_;  // whether code out of sight made it; false while that is found out for another tensor
  Visits visits_;
  int depth_ = 0;
  std::vector<int> elements_;  // of the tuple or pair that is looked for, the outermost last
};

}  // namespace syncsniff::program
