#include "rules/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <deque>
#include <sstream>
#include <stdexcept>

#include "rules/data_error.h"

namespace syncsniff {
namespace {

struct TreeNode {
  YamlNode node;
  std::string text;
  std::deque<TreeNode> children;  // a deque, so that the pointers in the stack of open nodes stay valid
};

// Builds the tree from yaml-cpp's events, which have line marks and keep duplicate keys; its Node class does neither.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& file, bool with_columns) : file_(file), with_columns_(with_columns) {}
  // 0: columns were not requested. Columns beyond 65,535 are not needed.
  int column_of(const YAML::Mark& mark) const { return with_columns_ ? std::min(mark.column + 1, 65535) : 0; }
  TreeNode& root() { return root_; }
  bool empty() const { return root_.children.empty(); }

  void OnDocumentStart(const YAML::Mark&) override { open_ = {&root_}; }
  void OnDocumentEnd() override {}
  // yaml-cpp marks a missing value at the next token; here it gets the line of its key.
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    const std::deque<TreeNode>& before = open_.back()->children;
    const bool is_value = open_.back()->node.kind == YamlKind::kMap && before.size() % 2 == 1;
    const YamlNode key = is_value ? before.back().node : YamlNode();
    TreeNode& node = add(mark, YamlKind::kNull, "");
    if (is_value) node.node.line = key.line, node.node.column = key.column;
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw DataError(file_, mark.line + 1, column_of(mark), "", "an alias (*name); write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) override {
    add(mark, YamlKind::kScalar, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open_.push_back(&add(mark, YamlKind::kSequence, ""));
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open_.push_back(&add(mark, YamlKind::kMap, ""));
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  TreeNode& add(const YAML::Mark& mark, YamlKind kind, const std::string& text) {
    TreeNode& child = open_.back()->children.emplace_back();
    child.node.kind = kind;
    child.node.line = static_cast<uint32_t>(mark.line + 1);
    child.node.column = static_cast<uint16_t>(column_of(mark));
    child.text = text;
    return child;
  }

  std::string file_;
  bool with_columns_;
  TreeNode root_;
  std::vector<TreeNode*> open_;
};

// Numbers the nodes breadth first, so that children are consecutive and after their parent.
YamlDocument flatten(const std::string& file, const TreeNode& root) {
  std::string text;
  std::vector<const TreeNode*> order = {&root};
  std::vector<YamlNode> nodes;
  for (size_t i = 0; i < order.size(); ++i) {
    YamlNode node = order[i]->node;
    node.text_offset = static_cast<uint32_t>(text.size());
    node.text_bytes = static_cast<uint32_t>(order[i]->text.size());
    text += order[i]->text;
    node.first_child = static_cast<uint32_t>(order.size());
    node.child_count = static_cast<uint32_t>(order[i]->children.size());
    for (const TreeNode& child : order[i]->children) order.push_back(&child);
    nodes.push_back(node);
  }
  return {file, std::move(text), std::move(nodes)};
}

}  // namespace

YamlDocument YamlDocument::parse(const std::string& file, const std::string& text, Marks marks) {
  const bool with_columns = marks == Marks::kLinesAndColumns;
  TreeBuilder builder(file, with_columns);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    if (TreeBuilder another(file, with_columns); parser.HandleNextDocument(another))
      throw DataError(file, 1, "", "holds more than one document (---)");
  } catch (const YAML::Exception& error) {
    throw DataError(file, error.mark.line + 1, builder.column_of(error.mark), "", "not YAML: " + error.msg);
  }
  if (builder.empty()) throw DataError(file, 1, "", "holds nothing");
  return flatten(file, builder.root().children.front());
}

YamlDocument::YamlDocument(std::string file, std::string text, std::vector<YamlNode> nodes)
    : file_(std::move(file)), text_(std::move(text)), nodes_(std::move(nodes)) {
  if (nodes_.empty()) throw std::runtime_error(file_ + ": no root");
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const YamlNode& node = nodes_[i];
    const bool text_inside = uint64_t{node.text_offset} + node.text_bytes <= text_.size();
    const bool children_inside = uint64_t{node.first_child} + node.child_count <= nodes_.size();
    const bool children_after = node.child_count == 0 || node.first_child > i;
    const bool pairs_whole = node.kind != YamlKind::kMap || node.child_count % 2 == 0;
    if (!text_inside || !children_inside || !children_after || !pairs_whole || node.kind > YamlKind::kMap) {
      throw std::runtime_error(file_ + ": damaged node " + std::to_string(i));
    }
  }
}

}  // namespace syncsniff
