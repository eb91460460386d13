#include "analyzer/program/launch_helpers.h"

#include <algorithm>
#include <optional>

#include "analyzer/facts/parameter_node.h"
#include "analyzer/facts/sums.h"
#include "analyzer/program/code.h"
#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

using facts::Argument;
using facts::Sum;
using facts::UnitFacts;

class Helpers {
 public:
  Helpers(const std::vector<UnitFacts*>& units, const ApiTable& apis) : apis_(apis) {
    for (const UnitFacts* unit : units)
      for (const Function& f : unit->functions) by_usr_.try_emplace(f.usr, &f);
  }

  // The launch that the call makes; nothing if it calls no launch helper.
  std::optional<Event> launch_of(const Event& call) const {
    if (call.kind != Event::Kind::kCall || call.callee.indirect || call.callee.is_virtual) return {};
    const Function* kernel = nullptr;
    size_t given = 0;
    for (size_t a = 0; a < call.args.size() && !kernel; ++a) {
      const Value& value = call.args[a].value;
      if (value.kind != Value::Kind::kFunction) continue;
      kernel = kernel_named(value.node);
      given = a;
    }
    const Function* helper = kernel ? find(call.callee.id) : nullptr;
    const Event* launch = helper ? only_launch(*helper) : nullptr;
    if (!launch || parameter_of(launch->object) != static_cast<int>(given)) return {};
    return as_launch(call, *launch, *kernel);
  }

 private:
  const Function* find(facts::Text usr) const {
    const auto found = by_usr_.find(usr);
    return found == by_usr_.end() ? nullptr : found->second;
  }
  const Function* kernel_named(facts::Text usr) const {
    const Function* f = find(usr);
    return f && f->is_kernel ? f : nullptr;
  }

  static int parameter_of(const Value& value) {
    const auto parameter = value.kind == Value::Kind::kNode ? facts::parameter_node(value.node) : std::nullopt;
    return parameter ? static_cast<int>(parameter->index) : -1;
  }

  // The helper's launch of a kernel that is its parameter, if this is its only GPU work; else nullptr.
  const Event* only_launch(const Function& helper) const {
    const Event* launch = nullptr;
    for (const Event& event : helper.events) {
      if (event.kind == Event::Kind::kLaunch) {
        if (launch || !event.callee.indirect || innermost_loop(helper, event.region) >= 0) return nullptr;
        launch = &event;
      } else if (!is_off_or_once(helper, event.region) && works(event, 0)) {
        return nullptr;
      }
    }
    return launch;
  }

  // Whether the event is, or may be, GPU work or a wait.
  bool works(const Event& event, int depth) const {
    constexpr int kDeepest = 3;
    if (event.kind == Event::Kind::kCall) {
      if (event.callee.harmless) return false;
      const Function* callee = event.callee.indirect || event.callee.is_virtual ? nullptr : find(event.callee.id);
      return !callee || depth == kDeepest ||
             std::any_of(callee->events.begin(), callee->events.end(), [&](const Event& inner) {
               return !is_off_or_once(*callee, inner.region) && works(inner, depth + 1);
             });
    }
    return works_on_gpu(event, event.kind == Event::Kind::kApi ? apis_.find(event.callee.id) : nullptr);
  }

  static Event as_launch(const Event& call, const Event& inside, const Function& kernel) {
    const facts::CallArguments given = facts::arguments_of(call);
    Event launch = call;
    launch.kind = Event::Kind::kLaunch;
    launch.callee = {};
    launch.callee.id = kernel.usr;
    launch.callee.name = kernel.name;
    launch.object = {};
    launch.args.clear();
    launch.arg_sums.clear();
    launch.launched_on.clear();
    launch.loops.index_args.clear();
    for (size_t a = 0; a < inside.args.size(); ++a) {
      const int handed = parameter_handed_on(inside, a);  // a parameter of the helper
      const bool known = handed >= 0 && handed < static_cast<int>(call.args.size());
      launch.args.push_back(known ? call.args[handed] : Argument{});
      const Sum none;
      launch.arg_sums.push_back(facts::with_arguments(a < inside.arg_sums.size() ? inside.arg_sums[a] : none, given));
      for (size_t i = 0; known && i + 1 < call.loops.index_args.size(); i += 2) {
        if (call.loops.index_args[i] != handed) continue;
        launch.loops.index_args.push_back(static_cast<int>(a));
        launch.loops.index_args.push_back(call.loops.index_args[i + 1]);
      }
    }
    for (const Sum& sum : inside.launched_on) launch.launched_on.push_back(facts::with_arguments(sum, given));
    launch.stream = inside.stream;
    if (const auto stream = facts::parameter_node(inside.stream.node); stream && stream->index < call.args.size()) {
      launch.stream.text = call.args[stream->index].text;
      launch.stream.node = call.args[stream->index].node;
    }
    return launch;
  }

  const ApiTable& apis_;
  facts::TextMap<const Function*> by_usr_;
};

}  // namespace

void name_launched_kernels(const std::vector<UnitFacts*>& units, const ApiTable& apis) {
  const auto launches_what_it_is_given = [](const Event& event) {
    return event.kind == Event::Kind::kLaunch && event.callee.indirect;
  };
  if (!any_event(units, launches_what_it_is_given)) return;
  const Helpers helpers(units, apis);
  for (UnitFacts* unit : units) {
    for (Function& f : unit->functions) {
      for (Event& event : f.events)
        if (std::optional<Event> launch = helpers.launch_of(event)) event = *std::move(launch);
    }
  }
}

}  // namespace syncsniff::program
