#include "analyzer/checks/spelled_out_launches.h"

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/checks/copies.h"
#include "analyzer/checks/launch_count.h"
#include "analyzer/checks/tensor_chains.h"
#include "analyzer/checks/unseen_kernels.h"
#include "analyzer/frequency/gates.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

constexpr size_t kFewest = 4;
constexpr int kMostBehindACall = 4;  // if a call leads to more launches, it is a layer's pass
constexpr int kMostSteps = 8;        // assignments followed from an argument back to the call that produced it

// The function that is called, also through a variable that can hold only one lambda; empty if it is not known.
facts::Text target_of(const Program& program, Site site) {
  const Event& event = program.event(site);
  if (!event.callee.indirect) return event.callee.id;
  const std::vector<int>& to = program.callees(site);
  return to.size() == 1 ? program.function(to.front()).usr : facts::Text();
}

// What a call may write: the texts of its pointer arguments and of its object.
std::set<std::string> pointers_of(const Program& program, Site site) {
  std::set<std::string> out;
  const Event& event = program.event(site);
  const int callee = program.code().find(target_of(program, site));
  for (size_t i = 0; i < event.args.size(); ++i) {
    const bool declared = callee >= 0 && i < program.function(callee).param_is_pointer.size();
    const bool pointer = declared ? program.function(callee).param_is_pointer[i] : !event.args[i].node.empty();
    if (pointer) out.insert(event.args[i].text);
  }
  if (event.object.kind != Value::Kind::kUnknown) out.insert("this " + event.object.node + event.object.text);
  return out;
}

// Whether each call works on its own tensors. An argument that all calls share, such as a handle or a factor, does not
// count as a tensor.
bool are_independent(const Program& program, int f, const std::vector<int>& events) {
  std::map<std::string, size_t> uses;
  std::vector<std::set<std::string>> pointers;
  for (int e : events) {
    pointers.push_back(pointers_of(program, {f, e}));
    for (const std::string& text : pointers.back()) ++uses[text];
  }
  return std::all_of(pointers.begin(), pointers.end(), [&](const std::set<std::string>& own) {
    bool any = false;
    for (const std::string& text : own) {
      if (uses[text] == events.size()) continue;
      if (uses[text] > 1) return false;
      any = true;
    }
    return any;
  });
}

// Whether the test holds for an argument that all calls are passed.
bool any_shared(const Program& program, int f, const std::vector<int>& events,
                bool (*test)(const Program& program, Site site, int argument)) {
  const Event& first = program.event({f, events.front()});
  for (int a = 0; a < static_cast<int>(first.args.size()); ++a) {
    const bool shared = std::ranges::all_of(events, [&](int e) {
      const auto& args = program.event({f, e}).args;
      return a < static_cast<int>(args.size()) && args[a].text == first.args[a].text;
    });
    if (shared && test(program, {f, events.front()}, a)) return true;
  }
  return false;
}

bool may_belong(const Program& program, Site site) {
  const Event& event = program.event(site);
  const bool kind =
      event.kind == Event::Kind::kLaunch || event.kind == Event::Kind::kApi || event.kind == Event::Kind::kCall;
  if (!kind || target_of(program, site).empty() || !program.effects_of(site).launches || program.effects_of(site).waits)
    return false;
  const ApiFact* fact = program.api(event);
  if (fact && fact->runs_plan) return false;  // each may run something else
  return launches_behind(program, site, kMostBehindACall) <= kMostBehindACall;
}

// Whether the value was computed from the result of one of these calls: y = layer1(x); z = layer2(y).
bool comes_from(const Program& program, const Value& value, const program::Reading& at, const std::vector<int>& calls,
                int steps = 0) {
  if (steps > kMostSteps) return false;
  const auto from = [&](const Value& v) { return comes_from(program, v, at, calls, steps + 1); };
  if (value.kind == Value::Kind::kCall) {
    if (std::find(calls.begin(), calls.end(), value.event) != calls.end()) return true;
    const Event& call = program.event({at.function, value.event});
    if (from(call.object) || std::ranges::any_of(facts::values(call.args), from)) return true;
  }
  const facts::Flow* made =
      value.kind == Value::Kind::kNode ? program.flows().only_assignment(value.node, at) : nullptr;
  if (made && from(made->value)) return true;
  return std::any_of(value.operands.begin(), value.operands.end(), from);
}

bool reads_result_of(const Program& program, const std::vector<int>& calls, Site call) {
  const Event& event = program.event(call);
  const auto from = [&](const Value& v) { return comes_from(program, v, program.reading(call), calls); };
  return from(event.object) || std::ranges::any_of(facts::values(event.args), from);
}

// Extends the finding to all calls from the first to the last.
void cover(Finding& finding, const Event& first, const Event& last) {
  finding.callee.clear();
  if (first.place.file != last.place.file || last.place.line < first.place.line) return;
  finding.location.end_line = last.place.end_line;
  finding.location.end_column = last.place.end_column;
}

void report(const Program& program, const ElementShare& share, int f, const std::vector<int>& events,
            Reporter& reporter) {
  const auto& function = program.function(f);
  if (events.size() < kFewest || !are_independent(program, f, events)) return;
  if (any_shared(program, f, events, is_updated_unseen)) return;  // a.forward(x); b.forward(x): x goes through all
  Located where = located_at({f, events.front()}, program.heat({f, events.front()}));
  if (!where.heat.hot || where.heat.dropped) return;
  if (function.events[events.front()].kind == Event::Kind::kCall) {
    if (share.feeds_next({f, events.front()})) return;
    if (!share.is_elementwise({f, events.front()}))
      frequency::pass_element_call(where.heat, function.events[events.front()], program.words());
  }
  const Event &first = function.events[events.front()], &last = function.events[events.back()];
  const bool may_go_on = any_shared(program, f, events, may_be_written_unseen);
  if (may_go_on) where.heat.cap(Severity::kMedium, kMayGoOn, first.place);
  Finding& finding =
      reporter.report("per-tensor-loop", program, where,
                      "these " + std::to_string(events.size()) + " launches ('" + first.callee.name +
                          "') process one tensor each, " + often(where.heat) + "; one launch can process them all");
  if (may_go_on) finding.level = 1;
  cover(finding, first, last);
}

void in_function(const Program& program, const ElementShare& share, int f, Reporter& reporter) {
  const auto& events = program.function(f).events;
  std::vector<int> run;
  const auto end_run = [&] {
    report(program, share, f, run, reporter);
    run.clear();
  };
  for (int e = 0; e < static_cast<int>(events.size()); ++e) {
    const auto effects = program.effects_of({f, e});
    if (!effects.enqueues && !effects.waits) continue;
    // Calls in error handling, such as cudaDeviceReset(), do not end the row; nor does a wait, which could also be
    // after all the launches.
    if (program::is_off(program.function(f), events[e].region)) continue;
    const ApiFact* fact = program.api(events[e]);
    if (fact && is_explicit_wait(events[e], *fact)) continue;
    const bool belongs = may_belong(program, {f, e});
    const bool same = !run.empty() && target_of(program, {f, run.back()}) == target_of(program, {f, e}) &&
                      program.block_of({f, run.back()}) == program.block_of({f, e}) &&
                      events[run.back()].stream.text == events[e].stream.text;
    if (!run.empty() && !(belongs && same && !reads_result_of(program, run, {f, e}))) end_run();
    if (belongs) run.push_back(e);
  }
  end_run();
}

// The variable or field that holds the tensor, or the tensor whose gradient or view the value is; empty if the value
// has several operands.
std::string tensor_named_in(const Value& value) {
  if (value.kind == Value::Kind::kNode) return value.node;
  if (value.kind == Value::Kind::kTensor && value.operands.size() == 1) return tensor_named_in(value.operands.front());
  return {};
}

bool reads_any_of(const Value& value, const std::set<std::string>& nodes) {
  return nodes.count(value.node) != 0 || std::any_of(value.operands.begin(), value.operands.end(),
                                                     [&](const Value& v) { return reads_any_of(v, nodes); });
}

// Finds rows of the same in-place operation on one tensor after the other, with only pointwise work in between: w1 -=
// rate * w1.grad(); b1 -= rate * b1.grad(); ...
class TensorRows {
 public:
  TensorRows(const Program& program, int function, Reporter& reporter)
      : program_(program), f_(function), reporter_(reporter) {}

  void find() {
    const auto& events = program_.function(f_).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (!passes(events[e], {f_, e})) {
        end();
        continue;
      }
      const std::string written = in_place(events[e]) ? tensor_named_in(events[e].object) : "";
      if (written.empty()) continue;
      const bool same = !row_.empty() && events[row_.back()].callee.id == events[e].callee.id &&
                        program_.block_of({f_, row_.back()}) == program_.block_of({f_, e});
      const bool goes_on =
          nodes_.count(written) != 0 ||
          std::ranges::any_of(facts::values(events[e].args), [&](const Value& v) { return reads_any_of(v, nodes_); });
      if (!same || goes_on) end();
      row_.push_back(e);
      nodes_.insert(written);
    }
    end();
  }

 private:
  bool passes(const Event& event, Site site) const {
    if (event.kind != Event::Kind::kTensor) {
      const program::Effects& effects = program_.effects_of(site);
      return !effects.enqueues && !effects.waits && !effects.launches;
    }
    const ApiFact* fact = program_.api(event);
    return fact && (fact->tensor == "elementwise" || fact->tensor == "shape_only");
  }
  void end() {
    const std::vector<int> row = std::move(row_);
    row_.clear();
    nodes_.clear();
    if (row.size() < kFewest) return;
    const auto& events = program_.function(f_).events;
    const ApiFact* fact = program_.api(events[row.front()]);
    if (!fact || fact->tensor != "elementwise" ||
        !program_.devices(events[row.front()].object, program_.reading({f_, row.front()})).cuda)
      return;
    Located where = located_at({f_, row.front()}, program_.heat({f_, row.front()}));
    if (!where.heat.hot || where.heat.dropped) return;
    const Event &first = events[row.front()], &last = events[row.back()];
    Finding& finding =
        reporter_.report("per-tensor-loop", program_, where,
                         "these " + std::to_string(row.size()) + " operations ('" + first.callee.name +
                             "') work on one tensor each, " + often(where.heat) + "; one launch can process them all");
    cover(finding, first, last);
  }

  const Program& program_;
  const int f_;
  Reporter& reporter_;
  std::vector<int> row_;
  std::set<std::string> nodes_;
};

}  // namespace

void spelled_out_launches(const Program& program, const ElementShare& share, Reporter& reporter) {
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) in_function(program, share, f, reporter);
  if (!program.usage().cuda_tensors) return;
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) TensorRows(program, f, reporter).find();
}

}  // namespace syncsniff::checks
