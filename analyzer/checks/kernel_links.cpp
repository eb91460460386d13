#include "analyzer/checks/kernel_links.h"

#include <algorithm>
#include <numeric>

#include "analyzer/checks/copies.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

constexpr const char* kElementOfLibrary = "<element>";  // an index that no kernel of the program has
constexpr const char* kBlas = "cublas";                 // the name of cuBLAS's API table
constexpr int kMostMethods = 4;                         // functions through which an array is passed on

using facts::arguments_of;
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

// Whether the bounds are equal in any order. `is_same` compares two limits.
template <class IsSame>
bool have_same_bounds(const std::vector<KernelBody::Bound>& a, const std::vector<KernelBody::Bound>& b,
                      IsSame is_same) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const KernelBody::Bound& x) {
           return std::any_of(b.begin(), b.end(), [&](const KernelBody::Bound& y) {
             return x.index == y.index && is_same(x.limit, y.limit);
           });
         });
}

// A limit computed only from fields, with the objects removed, so that `a.rows * a.cols` and `b.rows * b.cols` compare
// equal. Nothing if anything else is in it.
std::optional<Sum> of_any_object(const Sum& limit) {
  Sum sum = facts::sum_of(0LL);
  bool has_fields = false;
  for (const auto& product : limit.products) {
    Sum part = facts::sum_of(product.factor);
    for (const std::string& symbol : product.of) {
      const size_t dot = symbol.rfind('.');
      if (dot == std::string::npos) return std::nullopt;
      part = part * facts::sum_of(symbol.substr(dot));
      has_fields = true;
    }
    sum = sum + part;
  }
  return has_fields ? std::optional<Sum>(sum) : std::nullopt;
}

// The index divided by its unit: 4 * i of floats and 8 * i of doubles are the same element.
Sum in_elements(Sum at) {
  long long unit = 0;
  for (const facts::Product& product : at.products) unit = std::gcd(unit, product.factor);
  for (facts::Product& product : at.products) product.factor /= std::max(unit, 1LL);
  return at;
}

// Whether both limits stand for the same number of elements. A copy's limit is in bytes, a kernel's in elements, so
// element sizes from 1 to 16 bytes are tried.
bool is_same_limit(const KernelLink& a, const Sum& x, const KernelLink& b, const Sum& y) {
  constexpr long long kSizes[] = {1, 2, 4, 8, 16};
  if (a.copies == b.copies) return x == y;
  const Sum &bytes = a.copies ? x : y, &elements = a.copies ? y : x;
  return std::any_of(std::begin(kSizes), std::end(kSizes),
                     [&](long long size) { return bytes == elements * facts::sum_of(size); });
}

// Whether both use the same stream by name, or one uses the default stream of a library handle and the other the
// default stream of the program's own launches.
bool is_same_stream(const KernelLink& a, const KernelLink& b) {
  const Sum none;
  return a.stream == b.stream || (a.by_default_handle && b.stream == none) || (b.by_default_handle && a.stream == none);
}

// Whether both access the same arrays in the same way. Instances of one kernel for several types do.
bool same_arrays(const KernelLink& a, const KernelLink& b) {
  return std::equal(a.arrays.begin(), a.arrays.end(), b.arrays.begin(), b.arrays.end(),
                    [](const KernelLink::Array& x, const KernelLink::Array& y) {
                      return x.base == y.base && in_elements(x.at) == in_elements(y.at) && x.reads == y.reads &&
                             x.writes == y.writes && x.elsewhere == y.elsewhere;
                    });
}

// The last part of a field's node: data for f:c:@S@Matrix@FI@data.
std::string name_of_field(const std::string& node) { return node.substr(node.rfind('@') + 1); }

// The symbol x.handle().data with the call replaced by what it returns.
std::string with_calls_named(std::string symbol, const std::map<std::string, Sum>& handed_out) {
  for (const auto& [call, array] : handed_out) {
    const size_t at = symbol.find(call + ".");
    if (at != std::string::npos) symbol.replace(at, call.size(), text_of(array));
  }
  return symbol;
}

}  // namespace

bool same_extent(const KernelLink& a, const KernelLink& b) {
  if (!is_same_stream(a, b)) return false;
  if (a.by_count != b.by_count)
    return a.bounds.size() == 1 && b.bounds.size() == 1 &&
           is_same_limit(a, a.bounds.front().limit, b, b.bounds.front().limit);
  if (!a.bounds.empty() && !b.bounds.empty())
    return have_same_bounds(a.bounds, b.bounds, [&](const Sum& x, const Sum& y) { return is_same_limit(a, x, b, y); });
  return a.grid == b.grid && a.block == b.block;
}

bool may_be_same_extent(const KernelLink& a, const KernelLink& b) {
  if (same_extent(a, b)) return true;
  return is_same_stream(a, b) && !a.bounds.empty() &&
         have_same_bounds(a.bounds, b.bounds, [](const Sum& x, const Sum& y) {
           const std::optional<Sum> field = of_any_object(x);
           return x == y || (field && field == of_any_object(y));
         });
}

bool same_element(const KernelLink& a, const KernelLink::Array& x, const KernelLink& b, const KernelLink::Array& y) {
  if (a.by_count == b.by_count) return facts::without_writes(text_of(x.at)) == facts::without_writes(text_of(y.at));
  const KernelLink& kernel = a.by_count ? b : a;
  const KernelLink::Array &of_kernel = a.by_count ? y : x, &of_vector = a.by_count ? x : y;
  // In `if (i < n) x[i]`, thread i accesses element i, which is how the library's vector functions count elements.
  return kernel.bounds.size() == 1 && in_elements(of_kernel.at) == in_elements(kernel.bounds.front().index) &&
         of_vector.at == facts::sum_of(1LL);
}

bool KernelLinks::is_off(Site site) const {
  return program::is_off(program_.function(site.function), program_.event(site).region);
}

std::optional<KernelLink> KernelLinks::of_launch(const Event& event) const {
  const int k = event.callee.indirect ? -1 : program_.code().find(event.callee.id);
  if (k < 0 || !program_.function(k).kernel.elementwise || event.launched_on.size() < 2) return {};
  const KernelBody& body = program_.function(k).kernel;
  if (body.params.size() > event.arg_sums.size()) return {};
  KernelLink link;
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

// Whether the program calls cublasSetStream() or a similar function anywhere; then a handle may enqueue on any stream.
bool KernelLinks::sets_streams_of_libraries() {
  if (sets_streams_) return *sets_streams_;
  sets_streams_ = false;
  for (int f = 0; f < static_cast<int>(program_.functions().size()); ++f) {
    for (const Event& event : program_.function(f).events) {
      const ApiFact* fact = event.kind == Event::Kind::kApi ? program_.api(event) : nullptr;
      *sets_streams_ |= fact && fact->library == kBlas && fact->stream_arg != kNoArg;
    }
  }
  return *sets_streams_;
}

// A copy within device memory: it reads and writes the bytes of two arrays.
std::optional<KernelLink> KernelLinks::of_copy(Site site) const {
  const Event& event = program_.event(site);
  const ApiFact* fact = program_.api(event);
  if (!fact || !fact->copy) return {};
  const CopyFact& copy = *fact->copy;
  const auto [first, last] = std::minmax({copy.dst, copy.src, copy.bytes});
  if (first < 0 || last >= static_cast<int>(event.arg_sums.size())) return {};
  if (read_copy(program_, located_at(site, {})).direction != Direction::kDeviceToDevice) return {};
  KernelLink link;
  link.copies = link.by_count = true;
  link.arrays.push_back({event.arg_sums[copy.dst], facts::sum_of(1LL), false, true, false});
  link.arrays.push_back({event.arg_sums[copy.src], facts::sum_of(1LL), true, false, false});
  link.bounds.push_back({facts::sum_of(kElementOfLibrary), event.arg_sums[copy.bytes]});
  const int stream = fact->stream_arg;
  if (stream >= 0 && stream < static_cast<int>(event.arg_sums.size())) link.stream = event.arg_sums[stream];
  return link;
}

// cublasSaxpy and similar functions: the count argument limits the elements, and the handle stands for the stream.
std::optional<KernelLink> KernelLinks::of_library(const Event& event) {
  const ApiFact* fact = program_.api(event);
  if (!fact || !fact->elements) return {};
  const auto given = [&](int arg) { return arg >= 0 && arg < static_cast<int>(event.arg_sums.size()); };
  if (!given(fact->elements->count)) return {};
  KernelLink link;
  link.by_count = true;
  for (const ElementsFact::Vector& vector : fact->elements->vectors) {
    if (!given(vector.arg) || !given(vector.stride)) return {};
    link.arrays.push_back(
        {event.arg_sums[vector.arg], event.arg_sums[vector.stride], vector.reads, vector.writes, false});
  }
  link.bounds.push_back({facts::sum_of(kElementOfLibrary), event.arg_sums[fact->elements->count]});
  link.stream = event.arg_sums[0];
  link.by_default_handle = !sets_streams_of_libraries();
  return link;
}

// Whether one call of the function runs at most one of the two events, because they are in different cases of a switch
// or in different branches.
bool KernelLinks::are_alternatives(int function, int event, int other) const {
  const auto& f = program_.function(function);
  const int a = program_.block_of({function, event}), b = program_.block_of({function, other});
  if (a == b) return f.regions[a].is_switch;
  return !program_.inside(f, a, b) && !program_.inside(f, b, a);
}

bool KernelLinks::may_store(int function, const KernelLink& link) {
  if (!assigning_) assigning_ = program_.flows().functions_that_assign_fields();
  const auto& events = program_.function(function).events;
  // In `y->data += n; launch(y->data)` the array's name shows that the function has written the field.
  const auto is_written_here = [](const KernelLink::Array& array) { return array.name() != text_of(array.base); };
  return assigning_->count(function) != 0 ||
         std::any_of(events.begin(), events.end(),
                     [](const Event& event) { return event.kind == Event::Kind::kStore; }) ||
         std::any_of(link.arrays.begin(), link.arrays.end(), is_written_here);
}

std::optional<KernelLink> KernelLinks::read_function(int function) {
  const auto& f = program_.function(function);
  if (f.is_kernel || f.is_main || !f.labels.empty()) return {};
  std::vector<int> found;
  std::optional<KernelLink> link;
  bool waits = false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const auto effects = program_.effects_of({function, e});
    if (!(effects.launches || effects.enqueues || effects.waits || effects.unknown) || is_off({function, e})) continue;
    if (effects.waits && !effects.launches && !effects.enqueues && !effects.unknown) {
      waits = true;
      continue;
    }
    const auto here = at({function, e});
    if (!here) return {};
    if (program::innermost_loop(f, f.events[e].region) >= 0) return {};
    for (int other : found) {
      if (!are_alternatives(function, other, e)) return {};
    }
    if (link && !(same_extent(*link, *here) && same_arrays(*link, *here))) return {};
    found.push_back(e);
    link = here;
  }
  if (!link) return link;
  link->stores |= may_store(function, *link);
  link->waits |= waits;
  for (KernelLink::Array& array : link->arrays) array.base = facts::with_own_parameters(array.base, f.usr);
  for (auto& bound : link->bounds) {
    bound.index = facts::with_own_parameters(bound.index, f.usr);
    bound.limit = facts::with_own_parameters(bound.limit, f.usr);
  }
  for (Sum* sum : {&link->grid, &link->block, &link->stream}) *sum = facts::with_own_parameters(*sum, f.usr);
  return link;
}

const std::optional<KernelLink>& KernelLinks::of_function(int function) {
  const auto [found, is_new] = functions_.try_emplace(function);  // empty while a recursive function is read
  if (is_new) found->second = read_function(function);
  return found->second;
}

std::optional<Sum> KernelLinks::handed_out(Site call, int depth) {
  const Event& event = program_.event(call);
  const auto& callees = program_.callees(call);
  if (event.kind != Event::Kind::kCall || event.launched_on.empty() || !event.arg_sums.empty() || callees.size() != 1 ||
      depth > kMostMethods)
    return {};
  std::optional<Sum> out;
  for (const auto& [flow, reading] : program_.flows().returned(callees.front())) {
    const Value& value = flow->value;
    if (value.kind == Value::Kind::kNull) continue;
    if (out) return {};
    if (value.kind == Value::Kind::kNode && value.node.rfind("f:", 0) == 0)
      out = facts::sum_of(facts::kThisSymbol + ("." + value.node));
    else if (value.kind == Value::Kind::kAny && value.node.starts_with("f:"))
      // The text that &field has.
      out = facts::sum_of("&(" + (facts::kThisSymbol + ("." + name_of_field(value.node))) + ")");
    else if (value.kind == Value::Kind::kCall)
      out = handed_out({callees.front(), value.event}, depth + 1);
    if (!out) return {};
  }
  return out ? std::optional<Sum>(with_arguments(*out, arguments_of(event))) : std::nullopt;
}

Sum KernelLinks::named(const Sum& address, int function) {
  const auto [found, is_new] = handed_out_.try_emplace(function);
  if (is_new) {
    const auto& events = program_.function(function).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (const auto array = handed_out({function, e}))
        found->second[text_of(events[e].launched_on.front()) + "." + events[e].callee.id + "()"] = *array;
    }
  }
  Sum out;
  for (const facts::Product& product : address.products) {
    Sum renamed = facts::sum_of(product.factor);
    for (const std::string& symbol : product.of) {
      const auto array = found->second.find(symbol);
      renamed = renamed *
                (array == found->second.end() ? facts::sum_of(with_calls_named(symbol, found->second)) : array->second);
    }
    out = out + renamed;
  }
  return out;
}

KernelLink KernelLinks::with_arrays_named(KernelLink link, int function) {
  for (KernelLink::Array& array : link.arrays) array.base = named(array.base, function);
  return link;
}

// The only callee that launches GPU work: a table of functions, or a virtual function, may have one for the CPU and one
// for the GPU. -1: none, or several.
int KernelLinks::only_launching(const std::vector<int>& callees) const {
  if (callees.size() == 1) return callees.front();
  int found = -1;
  for (const int callee : callees) {
    if (!program_.effects().of(callee).launches) continue;
    if (found >= 0) return -1;
    found = callee;
  }
  return found;
}

std::optional<KernelLink> KernelLinks::of_call(Site site) {
  const Event& event = program_.event(site);
  const int callee = only_launching(program_.callees(site));
  if (callee < 0) return {};
  const auto& link = of_function(callee);
  if (!link || event.arg_sums.size() < program_.function(callee).params.size()) return {};
  return in_terms_of_call(*link, arguments_of(event));
}

std::optional<KernelLink> KernelLinks::at(Site site) {
  const Event& event = program_.event(site);
  std::optional<KernelLink> link;
  if (event.kind == Event::Kind::kLaunch)
    link = of_launch(event);
  else if (event.kind == Event::Kind::kApi && program_.api(event) && program_.api(event)->copy)
    link = of_copy(site);
  else if (event.kind == Event::Kind::kApi)
    link = of_library(event);
  else if (event.kind == Event::Kind::kCall)
    link = of_call(site);
  return link ? std::optional(with_arrays_named(std::move(*link), site.function)) : std::nullopt;
}

}  // namespace syncsniff::checks
