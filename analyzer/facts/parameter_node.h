// Reads the node of a parameter, "p:<USR>#<index>", as facts/names.cpp writes it.
#pragma once

#include <optional>
#include <string>

namespace syncsniff::facts {

struct ParameterNode {
  std::string function;  // its USR, which may hold '#' itself
  size_t index = 0;
};

// Nothing for any other node.
inline std::optional<ParameterNode> parameter_node(const std::string& node) {
  if (node.rfind("p:", 0) != 0) return std::nullopt;
  const size_t hash = node.rfind('#');
  return ParameterNode{node.substr(2, hash - 2), std::stoul(node.substr(hash + 1))};
}

}  // namespace syncsniff::facts
