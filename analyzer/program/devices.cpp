#include "analyzer/program/devices.h"

#include <algorithm>
#include <utility>

#include "analyzer/facts/parameter_node.h"
#include "analyzer/facts/words.h"

namespace syncsniff::program {

namespace {
constexpr int kMostSteps = 64;  // from a tensor back to what made it
// Tuples in tuples of which one element is looked for. `x = std::get<0>(f(x))` would go on to ever deeper ones.
constexpr size_t kMostNested = 3;
}  // namespace

struct TensorDevices::Search {
  Visits visits;
  int depth = 0;
  bool asks_calls = true;     // whether code out of sight made it; false while that is found out for another tensor
  std::vector<int> elements;  // of the tuple or pair that is looked for, the outermost last
  // Where a pack is another one for each element that is looked for.
  std::string part() const {
    std::string out;
    for (int element : elements) out += "." + std::to_string(element);
    return out;
  }
};

namespace {

bool is_empty(const Devices& d) { return !d.cpu && !d.cuda && !d.unknown; }

Devices& operator|=(Devices& a, const Devices& b) {
  a.whole = is_empty(a) ? b.whole : a.whole && (is_empty(b) || b.whole);
  a.cpu |= b.cpu;
  a.cuda |= b.cuda;
  a.unknown |= b.unknown;
  a.pinned |= b.pinned;
  a.unnamed |= b.unnamed;
  a.unseen |= b.unseen;
  return a;
}

// An operation's result lives where its operands do: one on the GPU decides, one not known makes it not known. A whole
// tensor of the CPU decides, too: PyTorch computes nothing with it and one of the GPU.
Devices join(const std::vector<Devices>& operands) {
  Devices out;
  bool whole = false;
  for (const Devices& d : operands) {
    if (d.cuda) return {false, true, false, false};
    whole |= d.whole;
    out |= d;
  }
  if (whole) out.cpu = true, out.unknown = false;
  out.whole = whole;
  if (out.unknown) out.cpu = false;
  return out;
}

}  // namespace

Devices TensorDevices::of(const Value& value, const Reading& at, const Context* context) const {
  Search search;
  Devices found = search_value(value, at, context, search);
  if (is_empty(found)) found.unknown = true;
  return found;
}

// A tensor that nothing is known of but where it is read.
Devices TensorDevices::not_known(const Reading& at) const {
  const bool host = at.function >= 0 && !prepares_.empty() && prepares_[at.function];
  return {host, false, !host, false};
}

Devices TensorDevices::search_value(const Value& value, const Reading& at, const Context* context,
                                    Search& search) const {
  if (search.depth > kMostSteps) return not_known(at);
  ++search.depth;
  Devices out;
  const auto operands = [&] {
    std::vector<Devices> all;
    for (const Value& v : value.operands) all.push_back(search_value(v, at, context, search));
    return all;
  };
  switch (value.kind) {
    case Value::Kind::kTensor:
      out.cpu = value.device == Value::Device::kCpu;
      // from_blob(): tensors over memory of the host have dimensions. Of a loader's examples nothing is said here.
      out.whole = out.cpu && value.operands.size() == 1;
      out.cuda = value.device == Value::Device::kCuda || value.device == Value::Device::kMaybeCuda;
      if (value.device == Value::Device::kFromOperands) {
        // An operation reads all of its operands, whichever part of its result is asked for.
        const std::vector<int> elements = std::exchange(search.elements, {});
        out = join(operands());
        search.elements = elements;
      }
      if (value.device == Value::Device::kUnknown) out = not_known(at);
      out.unnamed = value.device == Value::Device::kUnnamed;
      if (value.device == Value::Device::kText) {
        const Devices spelled = operands()[0];
        out = is_empty(spelled) || spelled.unknown ? Devices{false, true, false, false} : spelled;
      }
      // A device that is chosen at run time is the GPU wherever there is one.
      if (value.device == Value::Device::kNamed) {
        const std::vector<Devices> all = operands();
        out = all[0].cuda ? Devices{false, true, false, false} : all[0];
        // Nothing: the search has been at this device before and counts it there, as in `x = make(x.device())`.
        if (is_empty(all[0])) out = all[0].unnamed ? all[1] : Devices{};
      }
      if (value.new_memory) out.pinned = false;
      out.pinned |= value.pinned;
      // A loaded example is pinned where the program makes pinned ones; from_blob() where its memory is.
      if (value.device == Value::Device::kCpu && value.operands.size() == 2)
        out.pinned |= loader_pins(value.operands[0].node, value.operands[1].operands, search);
      else if (value.device == Value::Device::kCpu && !value.operands.empty()) {
        out.pinned |= provenance_.origins(value.operands.front(), at, context).has(MemoryKind::kPinned) ||
                      search_value(value.operands.front(), at, context, search).pinned;
      }
      break;
    case Value::Kind::kElement:
      if (search.elements.size() == kMostNested) {
        out = search_value(value.operands.front(), at, context, search);
        break;
      }
      search.elements.push_back(value.event);
      out = search_value(value.operands.front(), at, context, search);
      search.elements.pop_back();
      break;
    case Value::Kind::kPack: {
      if (search.elements.empty()) {
        out = join(operands());
        break;
      }
      const int element = search.elements.back();
      search.elements.pop_back();
      if (element < static_cast<int>(value.operands.size()))
        out = search_value(value.operands[element], at, context, search);
      search.elements.push_back(element);
      break;
    }
    case Value::Kind::kObject:
      out = search_node(value.node, at, context, search);
      break;
    case Value::Kind::kAny:
      for (const Devices& d : operands()) out |= d;
      break;
    case Value::Kind::kNode:
      out = search_node(value.node, at, context, search);
      break;
    case Value::Kind::kContent:
      out = value.node.empty() ? Devices{} : search_node("*" + value.node, at, context, search);
      // A container's own memory says nothing of where the tensors in it live.
      if (is_empty(out) && !value.operands.empty() && value.operands.front().kind != Value::Kind::kAllocation)
        out = join(operands());
      break;
    case Value::Kind::kCall: {
      if (at.function < 0) break;
      const Site site{at.function, value.event};
      const Context inner{site, context};
      // A module's parameters and buffers move with the module.
      if (code_.event(site).callee_name.find("register_") != std::string::npos) {
        out.unknown = true;
        break;
      }
      for (int callee : graph_.callees(site)) {
        // Of a vector of tensors the elements; where nothing was put in, or it is no vector, what is returned itself.
        out |= search_node("*r:" + code_.function(callee).usr, callee, &inner, search);
      }
      if (graph_.callees(site).empty()) out = join(operands());
      // split(), sort(), topk(): all that they give back lives with what they are given.
      if (is_empty(out) && code_.event(site).kind == Event::Kind::kTensor)
        out = search_value(code_.event(site).result, code_.reading(site), context, search);
      if (graph_.callees(site).empty() && is_empty(out) && value.operands.empty()) {
        out = not_known(at);
        out |= made_out_of_sight(site, search);
      }
      break;
    }
    case Value::Kind::kNull:
      break;
    default:
      out = not_known(at);
  }
  --search.depth;
  return out;
}

// Whether one of the classes that make a loader's batches puts pinned memory into the batch's field. A class that
// leaves that to functions of its own proves nothing: then all that the program puts into such a field counts.
bool TensorDevices::loader_pins(const std::string& field, const std::vector<Value>& classes, Search& search) const {
  const std::vector<LinkedFlow>* found = flows_.into(field);
  if (classes.empty() || !found) return false;
  const auto of_loader = [&](const LinkedFlow& flow) {
    const std::string_view usr = code_.function(flow.function).usr;
    return std::any_of(classes.begin(), classes.end(), [&](const Value& made_by) {
      const std::string_view prefix = made_by.node;
      return usr.size() > prefix.size() && usr.starts_with(prefix) && usr[prefix.size()] == '@';
    });
  };
  const bool own = std::any_of(found->begin(), found->end(), of_loader);
  return std::any_of(found->begin(), found->end(), [&](const LinkedFlow& flow) {
    return (!own || of_loader(flow)) && search_value(flow.flow->value, reading_of(flow), nullptr, search).pinned;
  });
}

Devices TensorDevices::search_node(const std::string& node, const Reading& at, const Context* context,
                                   Search& search) const {
  if (host_read_.count(node) != 0) return {.cpu = true};
  const std::optional<Reaching> reached = flows_.visit(node, at, context, search.visits, search.part());
  if (!reached) return {};
  Devices out = search_written(node, *reached, at, search);
  const bool is_param = node.rfind("p:", 0) == 0;
  const bool shown = !reached->flows.empty() || is_param || !is_empty(out) || node[0] == '*' || node[0] == 'r';
  if (!shown) out = not_known(at);  // a variable that nobody shows the making of
  Devices assigned;
  for (const LinkedFlow* flow : reached->flows) {
    assigned |=
        search_value(flow->flow->value, reading_of(*flow), flow->function == at.function ? context : nullptr, search);
  }
  out.unseen &= is_empty(assigned);
  out |= assigned;
  if (is_param && reached->entry) out |= search_param(node, Given::kItself, at, context, search);
  // An array that is filled element by element.
  if (is_empty(out) && !search.elements.empty() && node[0] != '*') {
    const std::vector<int> elements = std::exchange(search.elements, {});
    out = search_node("*" + node, at, context, search);
    search.elements = elements;
  }
  // Elements of a container that the callers hand in: what they put into theirs.
  if (is_empty(out) && node.rfind("*p:", 0) == 0 && search.depth <= kMostSteps) {
    ++search.depth;
    out = search_param(node.substr(1), Given::kElements, at, context, search);
    --search.depth;
  }
  // Elements of a container: where nothing that was put in is known, the container's own tensors decide.
  if (is_empty(out) && node[0] == '*') out = search_node(node.substr(1), at, context, search);
  return out;
}

// fill(x), where fill assigns to its reference parameter.
Devices TensorDevices::search_written(const std::string& node, const Reaching& reached, const Reading& at,
                                      Search& search) const {
  Devices out;
  if (search.depth > kMostSteps) return out;
  for (const ArgumentUse& use : flows_.uses_as_argument(node)) {
    if (!flows_.may_write_before(use.site, reached, at)) continue;
    if (graph_.callees(use.site).empty()) out |= made_out_of_sight(use.site, search);
    for (int callee : graph_.callees(use.site)) {
      const Function& f = code_.function(callee);
      if (use.argument >= static_cast<int>(f.params.size())) continue;
      const Context inner{use.site, nullptr};
      for (const facts::Text stored : {f.params[use.argument], facts::Text("*" + f.params[use.argument])}) {
        if (!search.visits.seen
                 .insert("w:" + stored + search.part() + "@" + std::to_string(use.site.function) + ":" +
                         std::to_string(use.site.event))
                 .second)
          continue;
        if (const std::vector<LinkedFlow>* flows = flows_.into(stored)) {
          for (const LinkedFlow& flow : *flows) out |= search_value(flow.flow->value, reading_of(flow), &inner, search);
        }
        ++search.depth;
        out |= search_written(stored, {}, callee, search);
        --search.depth;
      }
    }
  }
  return out;
}

// loader.next(), loader(batch) of which only the declaration is in sight.
Devices TensorDevices::made_out_of_sight(Site call, const Search& search) const {
  const Event& e = code_.event(call);
  if (!search.asks_calls || e.kind != Event::Kind::kCall || e.harmless || e.callee.empty() ||
      facts::is_of_libtorch(e.callee_name))
    return {};
  const auto [known, fresh] = given_gpu_.try_emplace(call, false);
  if (fresh) {
    Search own;
    own.asks_calls = false;
    known->second = std::any_of(e.args.begin(), e.args.end(), [&](const Value& argument) {
      return search_value(argument, code_.reading(call), nullptr, own).cuda;
    });
  }
  return {.unseen = !known->second};
}

// What the callers hand in as the parameter, or have put into the container that they hand in.
Devices TensorDevices::search_param(const std::string& node, Given given, const Reading& at, const Context* context,
                                    Search& search) const {
  Devices out;
  const auto parameter = facts::parameter_node(node);
  const int callee = code_.find(parameter->function);
  if (callee < 0) return out;
  for (const Site& site : graph_.callers(callee)) {
    if (context && callee == at.function && !(context->call == site)) continue;
    const Event& e = code_.event(site);
    if (parameter->index >= e.args.size()) continue;
    const Context* outer = context && context->call == site ? context->outer : nullptr;
    const Value& argument = e.args[parameter->index];
    if (given == Given::kItself) {
      out |= search_value(argument, code_.reading(site), outer, search);
      continue;
    }
    const std::string& container = argument.node.empty() ? e.arg_nodes[parameter->index] : argument.node;
    if (!container.empty()) out |= search_node("*" + container, code_.reading(site), outer, search);
  }
  if (given == Given::kItself && graph_.callers(callee).empty()) out |= not_known(callee);
  return out;
}

}  // namespace syncsniff::program
