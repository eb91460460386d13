#include "analyzer/checks/tensor_chains.h"

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/checks/groups.h"

namespace syncsniff::checks {

namespace {

constexpr int kMostViews = 8;

class Chains {
 public:
  Chains(const Program& program, int function, TensorResults& results)
      : program_(program), results_(results), f_(function), events_(program.function(f_).events) {}

  std::vector<TensorChain> find() {
    for (int e = 0; e < count(); ++e) {
      const bool whole = role(e) == "elementwise" && events_[e].callee.id != "at::Tensor::operator=(element)";
      joins_.push_back(whole && !results_.works_on_numbers({f_, e}));
    }
    count_readers();
    std::map<int, TensorChain> chains;
    for (int e = 0; e < count(); ++e) {
      if (joins_[e]) link(e);
      if (const std::string node = partly_written(e); !node.empty()) parted_[node] = e;
    }
    for (int e = 0; e < count(); ++e) {
      if (joins_[e]) chains[groups_.of(e)].events.push_back(e);
    }
    for (int e = 0; e < count(); ++e) {
      if (role(e) != "reduction") continue;
      for (const Value* operand : operands(e)) {
        const int from = made_by(*operand, e);
        if (from >= 0 && joins_[from] && program_.block_of({f_, from}) == program_.block_of({f_, e}))
          chains[groups_.of(from)].reduction = e;
      }
    }
    std::vector<TensorChain> out;
    for (auto& [first, chain] : chains) out.push_back(std::move(chain));
    return out;
  }

 private:
  int count() const { return static_cast<int>(events_.size()); }
  std::string role(int e) const { return results_.role({f_, e}); }
  // The operation that produced the value; views of all elements (reshapes), also nested ones, are followed back to
  // their tensor.
  int made_by(const Value& value, int reader) const {
    int made = results_.made_by(value, program_.reading({f_, reader}));
    for (int depth = 0; depth < kMostViews && made >= 0 && made < reader; ++depth) {
      const Event& view = events_[made];
      if (role(made) != "shape_only" || view.object.kind != Value::Kind::kTensor) break;
      if (const ApiFact* fact = program_.api(view); fact && fact->other_extent) return -1;
      made = results_.made_by(view.object, program_.reading({f_, made}));
    }
    return made < reader ? made : -1;
  }

  // The variable of which the operation writes only a part: x[0] = 0, x.slice(0, 1, 2).zero_(). Operations before and
  // after it cannot be fused across it. Empty: none.
  std::string partly_written(int e) const {
    const Event& event = events_[e];
    if (event.kind != Event::Kind::kTensor || event.object.kind != Value::Kind::kTensor) return {};
    if (event.callee.id != "at::Tensor::operator=(element)" && !in_place(event)) return {};
    int view = results_.made_by(event.object, program_.reading({f_, e}));
    for (int depth = 0; depth < kMostViews && view >= 0 && role(view) == "shape_only"; ++depth) {
      const Value& of = events_[view].object;
      if (of.kind == Value::Kind::kNode) return of.node;
      view = results_.made_by(of, program_.reading({f_, view}));
    }
    return {};
  }

  bool is_read_between(const std::string& node, int from, int to) const {
    for (int e = from + 1; e < to; ++e) {
      if (events_[e].callee.id == "at::Tensor::operator=") continue;
      for (const Value* operand : operands(e)) {
        if (operand->kind == Value::Kind::kNode && operand->node == node) return true;
      }
    }
    return false;
  }

  std::vector<const Value*> operands(int e) const {
    std::vector<const Value*> all{&events_[e].object};
    for (const Value& arg : facts::values(events_[e].args)) all.push_back(&arg);
    return all;
  }

  // Counts the readers of each local variable: operations that could join a chain, and other code.
  void count_readers() {
    for (int e = 0; e < count(); ++e) {
      const bool joins = joins_[e] || role(e) == "reduction";
      // `x = y` makes x refer to y's tensor; it does not read x
      const bool assigns = events_[e].callee.id == "at::Tensor::operator=";
      for (const Value* operand : operands(e)) {
        if (assigns && operand == &events_[e].object) continue;
        if (operand->kind == Value::Kind::kNode && !joins) escapes_.insert(operand->node);
        if (operand->kind == Value::Kind::kNode) regions_[operand->node].push_back(program_.block_of({f_, e}));
      }
    }
  }
  bool stays_inside(const std::string& node, int region) const {
    if (escapes_.count(node) || program_.flows().is_read_elsewhere(node)) return false;
    const auto found = regions_.find(node);
    return found == regions_.end() ||
           std::all_of(found->second.begin(), found->second.end(), [&](int r) { return r == region; });
  }

  void link(int e) {
    const int region = program_.block_of({f_, e});
    for (const Value* operand : operands(e)) {
      const int from = made_by(*operand, e);
      const auto parted = operand->kind == Value::Kind::kNode ? parted_.find(operand->node) : parted_.end();
      const int since = parted == parted_.end() ? -1 : parted->second;
      const bool passes = from > since && from >= 0 && joins_[from] && program_.block_of({f_, from}) == region;
      // x.mul_(a) overwrites what it reads, so nothing else can read the old value.
      const bool overwrites = passes && in_place(events_[e]) && operand == &events_[e].object &&
                              operand->kind == Value::Kind::kNode && !is_read_between(operand->node, from, e);
      if (passes && (operand->kind == Value::Kind::kTensor || overwrites || stays_inside(operand->node, region)))
        groups_.join(from, e);
      // Two in-place operations on one tensor: x.mul_(a); x.add_(b);
      if (operand->kind != Value::Kind::kNode) continue;
      const auto changed = changed_.find(operand->node);
      if (changed != changed_.end() && changed->second > since && program_.block_of({f_, changed->second}) == region)
        groups_.join(changed->second, e);
    }
    if (in_place(events_[e]) && events_[e].object.kind == Value::Kind::kNode) changed_[events_[e].object.node] = e;
  }

  const Program& program_;
  TensorResults& results_;
  const int f_;
  const std::vector<Event>& events_;
  Groups groups_{events_.size()};
  std::vector<bool> joins_;  // operations that may be part of a chain
  std::set<std::string> escapes_;
  std::map<std::string, std::vector<int>> regions_;
  std::map<std::string, int> parted_;   // by variable: the last operation that wrote a part of it
  std::map<std::string, int> changed_;  // by variable: the last in-place operation that wrote it
};

}  // namespace

bool in_place(const Event& event) {
  const std::string& name = event.callee.name;
  const bool assigns = name.size() > 2 && name.back() == '=' && name.find("operator") != std::string::npos &&
                       std::string("+-*/&|^").find(name[name.size() - 2]) != std::string::npos;
  return assigns || (!name.empty() && name.back() == '_');
}

std::vector<TensorChain> tensor_chains(const Program& program, int function, TensorResults& results) {
  const std::vector<Event>& events = program.function(function).events;
  if (std::none_of(events.begin(), events.end(), [](const Event& e) { return e.kind == Event::Kind::kTensor; }))
    return {};
  return Chains(program, function, results).find();
}

}  // namespace syncsniff::checks
