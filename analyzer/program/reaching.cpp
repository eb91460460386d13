// Computes which assignments to a local variable reach a place, from the function's regions. An assignment on every
// path to the place hides those before it; one that comes after the place can reach it around a loop.
#include "analyzer/program/flows.h"

namespace syncsniff::program {

namespace {

constexpr int kMostPartedReads = 64;  // after so many reads, a search takes all assignments to a variable

// Whether the node is a variable or parameter of one function. Lambdas in that function write it as functions of their
// own.
bool is_local(const std::string& node) {
  return node.rfind("p:", 0) == 0 || (node.rfind("v:", 0) == 0 && node.find('@') != std::string::npos);
}

size_t mixed(size_t hash, size_t more) { return (hash ^ more) * 1099511628211ull; }

int innermost_common_loop(const Code& code, const Function& f, int region, int other) {
  for (int r = region; r >= 0; r = f.regions[r].parent) {
    if (f.regions[r].kind == Region::Kind::kLoop && code.inside(f, other, r)) return r;
  }
  return -1;
}

}  // namespace

const Flow* Flows::only_assignment(const std::string& node, const Reading& at) const {
  if (!is_local(node)) return nullptr;
  const Reaching reached = reaching(node, at);
  const bool given = node.rfind("p:", 0) == 0 && reached.entry;
  const bool only = reached.flows.size() == 1 && reached.flows.front()->function == at.function;
  return only && !given ? reached.flows.front()->flow : nullptr;
}

Reaching Flows::reaching(const std::string& node, const Reading& at) const {
  Reaching out;
  const std::vector<LinkedFlow>* found = into(node);
  if (!found) return out;
  const auto keep_all = [&] {
    for (const LinkedFlow& flow : *found) out.flows.push_back(&flow);
    return out;
  };
  if (at.order < 0 || at.function < 0 || !is_local(node)) return keep_all();
  const Function& f = code_.function(at.function);
  if (!f.labels.empty()) return keep_all();
  const LinkedFlow* last = nullptr;  // the last assignment on every path to the place
  for (const LinkedFlow& flow : *found) {
    if (flow.function != at.function || flow.order >= at.order) continue;
    const int region = flow.flow->region;
    const bool always = code_.inside(f, at.region, region) && !f.regions[region].is_switch;
    if (always && (!last || flow.order > last->order)) last = &flow;
  }
  out.entry = !last;
  out.last = last;
  out.parted = true;
  for (const LinkedFlow& flow : *found) {
    bool reaches = flow.function != at.function;
    if (!reaches && flow.order < at.order) {
      reaches = !last || flow.order >= last->order;
    } else if (!reaches) {
      const int loop = innermost_common_loop(code_, f, at.region, flow.flow->region);
      reaches = loop >= 0 && !(last && code_.inside(f, last->flow->region, loop));
    }
    if (!reaches) continue;
    out.flows.push_back(&flow);
    out.which = mixed(out.which, static_cast<size_t>(flow.order));
  }
  return out;
}

// Whether a call that may write the variable can run between the last assignment on every path and the place, or around
// a loop that contains no such assignment. A call in another function may run at any time.
bool Flows::may_write_before(Site site, const Reaching& reached, const Reading& at) const {
  if (site.function != at.function || at.order < 0) return true;
  const Event& call = code_.event(site);
  const Function& f = code_.function(at.function);
  if (call.order <= at.order) return !reached.last || reached.last->order < call.order;
  const int loop = innermost_common_loop(code_, f, at.region, call.region);
  return loop >= 0 && !(reached.last && code_.inside(f, reached.last->flow->region, loop));
}

size_t Visits::Hash::operator()(const Visit& visit) const {
  size_t hash = mixed(facts::ByAddress{}(visit.node), facts::ByAddress{}(visit.part));
  hash = mixed(mixed(hash, visit.flows), visit.which);
  hash = mixed(mixed(hash, static_cast<size_t>(visit.call.function)), static_cast<size_t>(visit.call.event));
  return mixed(hash, visit.written);
}

std::optional<Reaching> Flows::visit(facts::Text node, const Reading& at, const Context* context, Visits& visits,
                                     facts::Text part) const {
  Reaching reached = reaching(node, visits.parted < kMostPartedReads ? at : Reading(at.function));
  visits.parted += reached.parted;
  const size_t flows = reached.parted ? reached.flows.size() : 0;
  const bool is_new =
      visits.seen.insert({node, part, flows, reached.which, context ? context->call : Site{-1, -1}, false}).second;
  return is_new ? std::optional(std::move(reached)) : std::nullopt;
}

}  // namespace syncsniff::program
