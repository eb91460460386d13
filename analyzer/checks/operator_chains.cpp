#include "analyzer/checks/operator_chains.h"

#include <map>
#include <string>

#include "analyzer/checks/groups.h"
#include "analyzer/checks/launch_count.h"
#include "analyzer/facts/places.h"
#include "analyzer/facts/words.h"

namespace syncsniff::checks {

namespace {

class OperatorChains {
 public:
  OperatorChains(const Program& program, int function, UsualWorks& works)
      : program_(program), f_(function), events_(program.function(function).events), works_(works) {}

  std::vector<std::vector<int>> find() {
    for (int e = 0; e < count(); ++e) pointwise_.push_back(is_pointwise(e));
    for (int e = 0; e < count(); ++e) {
      if (!pointwise_[e]) continue;
      for_each_operand(e, [&](const Value& operand) { join(made_by(operand, e), e); });
      join(e, reader_of(e));
    }
    std::map<int, std::vector<int>> chains;
    for (int e = 0; e < count(); ++e) {
      if (pointwise_[e]) chains[groups_.of(e)].push_back(e);
    }
    std::vector<std::vector<int>> out;
    for (auto& [first, chain] : chains) out.push_back(std::move(chain));
    return out;
  }

 private:
  int count() const { return static_cast<int>(events_.size()); }

  // Whether the event is a call of the project's code that launches one elementwise kernel. It may wait, as long as the
  // host does not read a result: one kernel for the whole chain also waits less often.
  bool is_pointwise(int e) const {
    const Event& event = events_[e];
    if (event.kind != Event::Kind::kCall || event.callee.harmless) return false;
    const auto& effects = program_.effects_of({f_, e});
    if (!effects.launches) return false;
    const UsualWork usual = works_.behind({f_, e});
    if (usual.launches > 0) return usual.launches == 1 && usual.elementwise && !usual.reads_back;
    // A launch may be under a condition.
    return !effects.waits && program_.share().is_elementwise({f_, e}) && launches_behind(program_, {f_, e}, 1) == 1;
  }

  template <class Visit>
  void for_each_operand(int e, const Visit& visit) const {
    visit(events_[e].object);
    for (const Value& arg : facts::values(events_[e].args)) visit(arg);
  }

  void join(int from, int to) {
    const bool pointwise = from >= 0 && to >= 0 && pointwise_[from] && pointwise_[to];
    if (pointwise && program_.block_of({f_, from}) == program_.block_of({f_, to})) groups_.join(from, to);
  }

  // The call before `reader` that produced the local variable, if only pointwise operations read this variable; -1:
  // none.
  int made_by(const Value& operand, int reader) const {
    if (operand.node.empty()) return -1;
    int made = -1;
    for (int e = 0; e < reader; ++e)
      if (events_[e].into == operand.node && !ends_object(e)) made = e;
    return made >= 0 && stays_inside(operand.node, program_.block_of({f_, reader})) ? made : -1;
  }

  // (a * b) + c: the operation that has the call's result, a temporary, as operand; -1: none. A call that passes an
  // object on, such as std::move(), does not count as reader.
  int reader_of(int call) const {
    int reader = -1;
    for (int e = 0; e < count(); ++e) {
      if (e == call || events_[e].callee.harmless || !facts::is_within(events_[call].place, events_[e].place)) continue;
      if (reader < 0 || facts::is_within(events_[e].place, events_[reader].place)) reader = e;
    }
    return reader;
  }

  // The destructor of an intermediate result reads no elements.
  bool ends_object(int e) const { return facts::names_destructor(events_[e].callee.name); }

  bool stays_inside(const std::string& node, int region) const {
    if (node.rfind("v:", 0) != 0 || program_.flows().is_read_elsewhere(node)) return false;
    for (int e = 0; e < count(); ++e) {
      if (ends_object(e)) continue;
      bool reads = false;
      for_each_operand(e, [&](const Value& operand) { reads |= operand.node == node; });
      if (reads && (!pointwise_[e] || program_.block_of({f_, e}) != region)) return false;
    }
    return true;
  }

  const Program& program_;
  const int f_;
  const std::vector<Event>& events_;
  UsualWorks& works_;
  Groups groups_{events_.size()};
  std::vector<bool> pointwise_;
};

}  // namespace

std::vector<std::vector<int>> operator_chains(const Program& program, int function, UsualWorks& works) {
  return OperatorChains(program, function, works).find();
}

}  // namespace syncsniff::checks
