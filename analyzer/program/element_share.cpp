#include "analyzer/program/element_share.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "analyzer/program/device_memory.h"
#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

using facts::arguments_of;
using facts::is_constant;
using facts::KernelParam;
using facts::Sum;
using facts::text_of;
using facts::with_arguments;

constexpr size_t kMostAccesses = 128;                  // accesses of one function; after so many, the rest is ignored
constexpr std::string_view kLastElement = "@F@back#";  // part of the USR of vector::back() and similar functions
constexpr size_t kMostPairs = 64;                      // pairs of a field that a call reads and one that it writes

// Whether the object or argument that `name` stands for ("this", "2") is another one in each iteration of the loop.
bool is_picked(const Event& call, std::string_view name, int loop) {
  int argument = kObject;
  if (name != "this") std::from_chars(name.data(), name.data() + name.size(), argument);
  for (size_t i = 0; i + 1 < call.loops.index_args.size(); i += 2) {
    if (call.loops.index_args[i] == argument && call.loops.index_args[i + 1] == loop) return true;
  }
  return false;
}

bool is_picked_by(const Event& call, const std::vector<int>& arguments, int loop) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](int argument) { return is_picked(call, std::to_string(argument), loop); });
}

// Whether a symbol in the callee's address ("{0}.weights", "{this}.layers[{1}].w", a global) stands for the same memory
// in each iteration. Memory that the callee allocates itself does not count.
bool stands_for_shared(std::string_view symbol, const Event& call, int loop) {
  if (symbol.find(facts::kLocalSymbol) != std::string_view::npos) return false;
  for (size_t at = symbol.find('{'); at != std::string_view::npos; at = symbol.find('{', at + 1)) {
    const size_t end = symbol.find('}', at);
    if (end == std::string_view::npos) return false;
    if (is_picked(call, symbol.substr(at + 1, end - at - 1), loop)) return false;
  }
  return true;
}

// Whether the symbol names one of the variables, as a lambda that captures it does.
bool names_one_of(std::string_view symbol, const facts::List<facts::Text>& nodes) {
  return std::ranges::any_of(nodes, [&](const facts::Text& node) {
    const size_t at = symbol.find(node);
    if (at == std::string_view::npos) return false;
    const size_t end = at + node.str().size();
    return end == symbol.size() || std::isdigit(static_cast<unsigned char>(symbol[end])) == 0;
  });
}

// Whether no part of the address depends on the iteration; in `base + offset` either part may.
bool is_shared(const Sum& address, const Function& f, const Event& call, int loop) {
  const auto is_shared_symbol = [&](const facts::Text& symbol) {
    return stands_for_shared(symbol, call, loop) && (loop < 0 || !names_one_of(symbol, f.regions[loop].varying));
  };
  return std::ranges::all_of(address.products, [&](const facts::Product& product) {
    return std::ranges::all_of(product.of, is_shared_symbol);
  });
}

struct Use {
  bool writes = false;   // false: it only reads
  bool updates = false;  // one launch both reads and writes it
  bool sums = false;     // the launch only adds to it
};

bool is_one_of(const std::vector<int>& parameters, size_t argument) {
  return std::find(parameters.begin(), parameters.end(), static_cast<int>(argument)) != parameters.end();
}

using Kernels = std::vector<const facts::KernelBody*>;

Use use_of(const Event& event, size_t argument, const facts::KernelBody* kernel, const ApiFact* fact) {
  const bool may_write = !event.args[argument].node.empty() && !event.args[argument].read_only;
  if (!kernel) return {may_write, may_write && fact && fact->elementwise};
  const bool updated = is_one_of(kernel->updates, argument);
  return {updated || (argument < kernel->params.size() ? kernel->params[argument].writes : may_write), updated,
          is_one_of(kernel->sums, argument)};
}

// Whether the kernel's body shows that it neither reads nor writes memory through the parameter: a number, as a rate.
bool is_no_memory(const facts::KernelBody* kernel, size_t parameter) {
  if (!kernel || !kernel->elementwise || parameter >= kernel->params.size()) return false;
  const KernelParam& used = kernel->params[parameter];
  return !used.reads && !used.writes && !used.elsewhere && !is_one_of(kernel->updates, parameter);
}

// What a launch does with the argument whichever of the kernels runs.
Use use_of(const Event& event, size_t argument, const Kernels& kernels, const ApiFact* fact) {
  if (kernels.empty()) return use_of(event, argument, nullptr, fact);
  Use any{.sums = true};
  for (const facts::KernelBody* kernel : kernels) {
    const Use one = use_of(event, argument, kernel, fact);
    any.writes |= one.writes;
    any.updates |= one.updates;
    any.sums &= one.sums;
  }
  return any;
}

// Whether the address contains local variables of the function, including those that its lambdas capture.
bool is_local(const Sum& address, const Function& function) {
  const std::string own = "v:" + function.usr.str() + "@";
  return std::any_of(address.products.begin(), address.products.end(), [&](const facts::Product& product) {
    return std::any_of(product.of.begin(), product.of.end(), [&](const facts::Text& symbol) {
      return symbol.find(facts::kLocalSymbol) != std::string::npos || symbol.find(own) != std::string::npos;
    });
  });
}

// The address as text that is the same in the variable's own function and in a lambda that captures the variable.
std::string name_of(const Sum& address) {
  std::string name = text_of(address);
  for (size_t at = name.find(facts::kLocalSymbol); at != std::string::npos; at = name.find(facts::kLocalSymbol, at))
    name.erase(at, std::string_view(facts::kLocalSymbol).size());
  return name;
}

}  // namespace

bool ElementShare::is_elementwise(Site call) const {
  const Event& event = code_.event(call);
  if (event.kind == Event::Kind::kLaunch) {
    const facts::KernelBody* kernel = kernel_of(code_, event);
    return kernel && kernel->elementwise;
  }
  const ApiFact* fact = code_.api(event);
  if (fact) return fact->elementwise || fact->tensor == "elementwise";
  const std::vector<int>& callees = graph_.callees(call);
  return !callees.empty() && std::ranges::all_of(callees, [&](int callee) { return launches_elementwise(callee); });
}

bool ElementShare::launches_elementwise(int function) const {
  const auto [known, fresh] = elementwise_.try_emplace(function, true);  // true while a recursive function is read
  if (!fresh) return known->second;
  const auto& f = code_.function(function);
  bool all = true;
  for (int e = 0; all && e < static_cast<int>(f.events.size()); ++e) {
    const Site inside{function, e};
    if (effects_.of(inside).launches && !is_off(f, f.events[e].region)) all = is_elementwise(inside);
  }
  return elementwise_[function] = all;
}

bool ElementShare::picks_slice(Site launch, int loop) const {
  const Event& event = code_.event(launch);
  const facts::KernelBody* kernel = kernel_of(code_, event);
  return kernel && is_picked_by(event, kernel->slices, loop);
}

bool ElementShare::works_on_element(Site call, int loop) const {
  const std::vector<Access> accesses = accesses_of(call, loop);
  // Memory that is neither a parameter nor a variable, such as what a smart pointer holds, may belong to one element.
  const auto may_be_own = [](const Access& access) {
    const std::string address = text_of(access.address);
    return !access.shared || (address.find('{') == std::string::npos && address.find("v:") == std::string::npos) ||
           address.find("->") != std::string::npos || address.find("()") != std::string::npos;
  };
  return accesses.empty() || std::ranges::any_of(accesses, may_be_own);
}

bool ElementShare::hands_on_slice(Site launch, int parameter) const {
  const Event& event = code_.event(launch);
  const facts::KernelBody* kernel = kernel_of(code_, event);
  return kernel && std::any_of(kernel->slices.begin(), kernel->slices.end(), [&](size_t number) {
           return number < event.arg_sums.size() && facts::parameter_in(event.arg_sums[number]) == parameter;
         });
}

bool ElementShare::runs_layer(Site call) const {
  const Event& event = code_.event(call);
  if (event.callee.id.rfind("torch::optim::", 0) == 0) return true;
  const ApiFact* fact = code_.api(event);
  if (fact) return fact->tensor == "layer";
  const std::vector<int>& callees = graph_.callees(call);
  return std::any_of(callees.begin(), callees.end(), [&](int callee) {
    const auto [known, fresh] = layers_.try_emplace(callee, false);
    if (!fresh) return known->second;
    const int events = static_cast<int>(code_.function(callee).events.size());
    bool any = false;
    for (int e = 0; e < events && !any; ++e) any = runs_layer({callee, e});
    return layers_[callee] = any;
  });
}

std::vector<const facts::KernelBody*> ElementShare::kernels_of(Site launch) const {
  const Event& event = code_.event(launch);
  if (event.kind != Event::Kind::kLaunch) return {};
  if (!event.callee.indirect) {
    const facts::KernelBody* kernel = kernel_of(code_, event);
    return kernel ? Kernels{kernel} : Kernels{};
  }
  Kernels kernels;
  const auto values = provenance_.all_function_values(event.object, launch.function);
  if (!values) return {};
  for (const std::string& usr : *values) {
    const int kernel = code_.find(usr);
    if (kernel < 0) return {};
    kernels.push_back(&code_.function(kernel).kernel);
  }
  return kernels;
}

std::vector<ElementShare::Access> ElementShare::own_accesses(Site site, int loop) const {
  std::vector<Access> out;
  const Event& event = code_.event(site);
  const Kernels kernels = kernels_of(site);
  const ApiFact* fact = code_.api(event);
  if (event.kind == Event::Kind::kLaunch || (fact && event.kind == Event::Kind::kApi)) {
    const auto all = [&](const auto& test) { return !kernels.empty() && std::ranges::all_of(kernels, test); };
    const bool in_slice = all([&](const auto* kernel) { return is_picked_by(event, kernel->own_slices, loop); });
    // The first argument of a library function is its handle, so it is skipped.
    for (size_t i = fact ? 1 : 0; i < event.arg_sums.size() && i < event.args.size(); ++i) {
      if (all([&](const auto* kernel) { return is_no_memory(kernel, i); })) continue;
      const Use use = use_of(event, i, kernels, fact);
      const bool updates = use.updates && !in_slice;
      out.push_back({event.arg_sums[i], !is_picked(event, std::to_string(i), loop), use.writes, updates, use.sums});
    }
    // kernel<<<...>>>(to, from) may get the same array twice, so reads are listed before writes.
    std::stable_partition(out.begin(), out.end(), [](const Access& access) { return !access.writes; });
  }
  return out;
}

std::vector<ElementShare::Access> ElementShare::accesses_of(Site site, int loop, bool only_shared) const {
  const auto& f = code_.function(site.function);
  const Event& event = f.events[site.event];
  if (is_off(f, event.region) || !effects_.of(site).launches) return {};
  std::vector<Access> out = own_accesses(site, loop);
  for (int callee : graph_.callees(site)) {
    const std::vector<Access>& inside = accesses_in(callee);
    if (inside.empty()) continue;
    const facts::CallArguments given = arguments_of(event);
    for (const Access& inner : inside) {
      const bool shared = is_shared(inner.address, f, event, loop);
      if (only_shared && !shared) continue;
      out.push_back(inner);
      out.back().shared = shared;
      out.back().address = with_arguments(inner.address, given);
    }
  }
  return out;
}

const std::vector<ElementShare::Access>& ElementShare::accesses_in(int function) const {
  const auto [known, fresh] = accesses_.try_emplace(function);  // empty while a recursive function is read
  if (!fresh) return known->second;
  std::vector<Access> out;
  const int events = static_cast<int>(code_.function(function).events.size());
  for (int e = 0; e < events && out.size() < kMostAccesses; ++e) {
    for (Access& access : accesses_of({function, e}, -1)) {
      access.address = facts::with_own_parameters(access.address, code_.function(function).usr);
      // Memory that the function allocates itself is not shared between iterations. Its name would also get longer with
      // each call.
      if (!is_local(access.address, code_.function(function)) && !is_constant(access.address))
        out.push_back(std::move(access));
    }
  }
  return accesses_[function] = std::move(out);
}

bool ElementShare::carries(int function, int loop, LeftOut left_out) const {
  const auto& f = code_.function(function);
  Carried so_far;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (!code_.inside(f, f.events[e].region, loop)) continue;
    for (const Access& access : accesses_of({function, e}, loop, true)) {
      if (!access.shared || is_constant(access.address)) continue;
      const std::string address = name_of(access.address);
      if (left_out.last_is_own && address.find(kLastElement) != std::string::npos) continue;
      if (so_far.goes_on(access, address, left_out.sums_do_not)) return true;
    }
  }
  return false;
}

// Whether the access continues what the iteration before left at this address. Otherwise it is noted.
bool ElementShare::Carried::goes_on(const Access& access, const std::string& address, bool sums_do_not) {
  const bool sums = access.sums && sums_do_not && !written.count(address);
  if (access.updates && !sums && !written.count(address)) return true;
  if (access.writes && read_first.count(address)) return true;
  if (!sums && summed.count(address)) return true;
  if (sums)
    summed.insert(address);
  else if (access.writes)
    written.insert(address);
  else if (!written.count(address))
    read_first.insert(address);
  return false;
}

// Example: each iteration runs float* gradient; cudaMalloc(&gradient, n); and no cudaFree(gradient).
std::set<std::string> ElementShare::left_behind(int function, int loop) const {
  std::set<std::string> made, freed;
  const auto& f = code_.function(function);
  for (const Event& event : f.events) {
    if (!code_.inside(f, event.region, loop)) continue;
    const ApiFact* fact = code_.api(event);
    if (makes_memory(fact)) add_made(event, made);
    if (!ends_memory(fact)) continue;
    for (const Value& argument : facts::values(event.args)) freed.insert(argument.node);
  }
  std::erase_if(made, [&](const std::string& node) { return !node.starts_with("v:") || freed.count(node) != 0; });
  return made;
}

bool ElementShare::keeps_apart(int function, int loop) const {
  const auto& f = code_.function(function);
  const std::set<std::string> left = left_behind(function, loop);
  bool picks = false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (!code_.inside(f, f.events[e].region, loop) || is_off(f, f.events[e].region)) continue;
    const Effects& effects = effects_.of({function, e});
    if (f.events[e].kind == Event::Kind::kTensor && effects.enqueues) return false;
    if (!effects.launches) continue;
    if (!writes_own({function, e}, loop, left)) return false;
    picks = true;
  }
  return picks;
}

bool ElementShare::writes_own(Site site, int loop, const std::set<std::string>& left_behind) const {
  const Function& f = code_.function(site.function);
  const Event& event = f.events[site.event];
  bool own = false;
  for (const Access& access : own_accesses(site, loop)) {
    if (!access.writes) continue;
    const std::string address = text_of(access.address);
    if (std::ranges::any_of(left_behind, [&](const auto& node) { return address.find(node) != std::string::npos; })) {
      own = true;
      continue;
    }
    if (access.shared && !is_constant(access.address)) return false;
    own |= !access.shared;
  }
  for (int callee : graph_.callees(site)) {
    const std::vector<Access>& inside = accesses_in(callee);
    // The callee works on memory that it made itself, for what this iteration passes to it.
    if (inside.empty() && passes_index(event, loop)) own = true;
    for (const Access& inner : inside) {
      if (!inner.writes) continue;
      const bool shared = is_shared(inner.address, f, event, loop);
      if (shared && !is_constant(with_arguments(inner.address, arguments_of(event)))) return false;
      own |= !shared;
    }
  }
  return own;
}

// In `array + offset` either operand may be the array. If the offset is taken for it, the result is only more
// conservative.
static void add_arrays(const Sum& address, facts::TextSet& arrays) {
  for (const facts::Product& product : address.products)
    if (product.of.size() == 1) arrays.insert(product.of.front());
}

bool ElementShare::works_on_parts(int function, int loop) const {
  const auto& f = code_.function(function);
  facts::TextSet written, read_by_all;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Site site{function, e};
    if (!code_.inside(f, f.events[e].region, loop) || is_off(f, f.events[e].region) || !effects_.of(site).launches)
      continue;
    if (f.events[e].kind != Event::Kind::kLaunch) return false;
    for (const Access& access : accesses_of(site, loop)) {
      if (is_constant(access.address)) continue;
      if (access.writes && (access.shared || access.address.products.size() < 2)) return false;
      if (access.writes) add_arrays(access.address, written);
      if (access.shared) add_arrays(access.address, read_by_all);
    }
  }
  const auto is_written = [&](const facts::Text& array) { return written.count(array) != 0; };
  return !written.empty() && std::none_of(read_by_all.begin(), read_by_all.end(), is_written);
}

const ElementShare::Fields& ElementShare::fields_of(int function) const {
  const auto [known, fresh] = fields_.try_emplace(function);
  if (!fresh) return known->second;
  const auto& f = code_.function(function);
  Fields out;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (is_off(f, event.region) || !effects_.of({function, e}).launches) continue;
    add_fields_passed(event, out);
    for (int callee : graph_.callees({function, e})) {
      const Fields& inner = fields_of(callee);
      out.read.insert(inner.read.begin(), inner.read.end());
      out.written.insert(inner.written.begin(), inner.written.end());
    }
  }
  return fields_[function] = std::move(out);
}

// Adds the fields that the event's own launch gets as arguments.
void ElementShare::add_fields_passed(const Event& event, Fields& out) const {
  const facts::KernelBody* kernel = kernel_of(code_, event);
  const bool shown = kernel || (event.kind == Event::Kind::kApi && code_.api(event));
  for (size_t i = 0; shown && i < event.args.size(); ++i) {
    const Value& value = event.args[i].value;
    if (value.kind != Value::Kind::kNode || value.node.rfind("f:", 0) != 0) continue;
    const KernelParam* param = kernel && i < kernel->params.size() ? &kernel->params[i] : nullptr;
    const bool writes = param ? param->writes : use_of(event, i, kernel, code_.api(event)).writes;
    if (writes) out.written.insert(value.node);
    if (!param || param->reads || param->elsewhere) out.read.insert(value.node);
  }
}

bool ElementShare::feeds_next(Site call) const {
  Fields all;
  for (int callee : graph_.callees(call)) {
    const Fields& own = fields_of(callee);
    all.read.insert(own.read.begin(), own.read.end());
    all.written.insert(own.written.begin(), own.written.end());
  }
  // With so many fields the call does not work on one element alone.
  if (all.read.size() * all.written.size() > kMostPairs) return true;
  for (facts::Text read : all.read) {
    for (facts::Text written : all.written) {
      if (read != written && provenance_.may_come_from(read, written)) return true;
    }
  }
  return false;
}

}  // namespace syncsniff::program
