#include "analyzer/checks/kernel_links.h"

#include <algorithm>

namespace syncsniff::checks {

namespace {

using facts::CallArguments;
using facts::KernelBody;
using facts::with_arguments;

KernelLink in_terms_of_call(KernelLink link, const CallArguments& call) {
  for (KernelLink::Array& array : link.arrays) {
    array.base = with_arguments(array.base, call);
    array.at = with_arguments(array.at, call);
  }
  for (KernelBody::Bound& bound : link.bounds) {
    bound.index = with_arguments(bound.index, call);
    bound.limit = with_arguments(bound.limit, call);
  }
  for (Sum* sum : {&link.grid, &link.block, &link.stream}) *sum = with_arguments(*sum, call);
  return link;
}

CallArguments arguments_of(const Event& event) {
  CallArguments out{event.arg_sums, {}, event.callee + "("};
  if (event.kind == Event::Kind::kCall && !event.launched_on.empty()) out.object = event.launched_on.front();
  for (const Sum& sum : event.arg_sums) out.call += text_of(sum) + ",";
  out.call += ")";
  return out;
}

bool same_bounds(const std::vector<KernelBody::Bound>& a, const std::vector<KernelBody::Bound>& b) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const KernelBody::Bound& x) {
           return std::any_of(b.begin(), b.end(),
                              [&](const KernelBody::Bound& y) { return x.index == y.index && x.limit == y.limit; });
         });
}

bool same_arrays(const KernelLink& a, const KernelLink& b) {
  return std::equal(a.arrays.begin(), a.arrays.end(), b.arrays.begin(), b.arrays.end(),
                    [](const KernelLink::Array& x, const KernelLink::Array& y) {
                      return x.base == y.base && x.at == y.at && x.reads == y.reads && x.writes == y.writes &&
                             x.elsewhere == y.elsewhere;
                    });
}

}  // namespace

bool same_extent(const KernelLink& a, const KernelLink& b) {
  if (!(a.stream == b.stream)) return false;
  if (!a.bounds.empty() && !b.bounds.empty()) return same_bounds(a.bounds, b.bounds);
  return a.grid == b.grid && a.block == b.block;
}

bool KernelLinks::is_off(Site site) const {
  const auto& f = program_.function(site.function);
  for (int r = program_.event(site).region; r > 0; r = f.regions[r].parent) {
    if (f.regions[r].gate == Gate::kError || f.regions[r].gate == Gate::kNever) return true;
  }
  return false;
}

std::optional<KernelLink> KernelLinks::of_launch(const Event& event) const {
  const int k = event.indirect ? -1 : program_.find(event.callee);
  if (k < 0 || !program_.function(k).kernel.elementwise || event.launched_on.size() < 2) return {};
  const KernelBody& body = program_.function(k).kernel;
  if (body.params.size() > event.arg_sums.size()) return {};
  KernelLink link;
  link.kernel = k;
  const CallArguments call = arguments_of(event);
  for (size_t i = 0; i < body.params.size(); ++i) {
    const facts::KernelParam& param = body.params[i];
    if (!param.reads && !param.writes && !param.elsewhere) continue;
    link.arrays.push_back(
        {event.arg_sums[i], with_arguments(param.at, call), param.reads, param.writes, param.elsewhere});
  }
  for (const KernelBody::Bound& bound : body.bounds)
    link.bounds.push_back({with_arguments(bound.index, call), with_arguments(bound.limit, call)});
  link.grid = event.launched_on[0];
  link.block = event.launched_on[1];
  if (event.launched_on.size() > 2) link.stream = event.launched_on[2];
  return link;
}

// Two cases of a switch, or two branches: a call runs one of them.
bool KernelLinks::are_alternatives(int function, int event, int other) const {
  const auto& f = program_.function(function);
  const int a = f.events[event].region, b = f.events[other].region;
  if (a == b) return f.regions[a].is_switch;
  return !program_.inside(f, a, b) && !program_.inside(f, b, a);
}

std::optional<KernelLink> KernelLinks::read_function(int function) {
  const auto& f = program_.function(function);
  if (f.is_kernel || f.is_main || f.has_labels) return {};
  std::vector<int> found;
  std::optional<KernelLink> link;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const auto effects = program_.effects_of({function, e});
    if (!(effects.launches || effects.enqueues || effects.waits || effects.unknown) || is_off({function, e})) continue;
    const auto here = at({function, e});
    if (!here) return {};
    for (int r = f.events[e].region; r >= 0; r = f.regions[r].parent) {
      if (f.regions[r].kind == Region::Kind::kLoop) return {};
    }
    for (int other : found) {
      if (!are_alternatives(function, other, e)) return {};
    }
    if (link && !(same_extent(*link, *here) && same_arrays(*link, *here))) return {};
    found.push_back(e);
    link = here;
  }
  return link;
}

const std::optional<KernelLink>& KernelLinks::of_function(int function) {
  const auto [found, is_new] = functions_.try_emplace(function);  // nothing, while a function that calls itself is read
  if (is_new) found->second = read_function(function);
  return found->second;
}

std::optional<KernelLink> KernelLinks::at(Site site) {
  const Event& event = program_.event(site);
  if (event.kind == Event::Kind::kLaunch) return of_launch(event);
  const auto& callees = program_.callees(site);
  if (event.kind != Event::Kind::kCall || event.indirect || callees.size() != 1) return {};
  const auto& link = of_function(callees.front());
  if (!link || event.arg_sums.size() < program_.function(callees.front()).params.size()) return {};
  return in_terms_of_call(*link, arguments_of(event));
}

}  // namespace syncsniff::checks
