// unfused-elementwise-chain: consecutive operations each read and write whole tensors, where one kernel would be
// enough.
#include <algorithm>
#include <set>

#include "analyzer/checks/check.h"
#include "analyzer/checks/kernel_chains.h"
#include "analyzer/checks/operator_chains.h"
#include "analyzer/checks/tensor_chains.h"
#include "analyzer/facts/words.h"

namespace syncsniff::checks {

namespace {

// The smallest number of kernels in a chain that is reported.
struct Fewest {
  double alone, before_reduction;  // of tensor operations
  double written;                  // for the program's own kernels
};

constexpr size_t kMostNotes = 7;  // calls listed before a note says how many are left

bool runs_on_gpu(const Program& program, int function, int e) {
  const auto where = program.devices(program.function(function).events[e].result, program.reading({function, e}));
  return where.cuda || where.unknown;
}

// The names of the operations, at most a few: 'mul', 'add', 'where', ...
std::string some_names(const Program& program, int function, const std::vector<int>& events) {
  std::string out;
  std::set<std::string> named;
  for (int e : events) {
    const std::string name = facts::last_name(program.function(function).events[e].callee.name);
    if (!named.insert(name).second) continue;
    if (named.size() > 3) return out + ", ...";
    out += (out.empty() ? "'" : ", '") + name + "'";
  }
  return out;
}

// The source range from the first operation to the last.
Location span(const facts::Function& f, const std::vector<int>& events) {
  const auto by_place = [&](int a, int b) { return f.events[a].place.offset < f.events[b].place.offset; };
  const auto by_end = [&](int a, int b) {
    const facts::Place &x = f.events[a].place, &y = f.events[b].place;
    return x.offset + x.length < y.offset + y.length;
  };
  Location from = to_location(f.events[*std::min_element(events.begin(), events.end(), by_place)].place);
  const Location to = to_location(f.events[*std::max_element(events.begin(), events.end(), by_end)].place);
  if (from.file == to.file) from.end_line = to.end_line, from.end_column = to.end_column;
  return from;
}

std::string what_it_does(const Program& program, const Event& event) {
  if (event.kind == Event::Kind::kCall) return "launches one kernel";
  const ApiFact* fact = program.api(event);
  return fact && fact->copy ? "copies the array" : "is one kernel";
}

// Extends the finding to all calls of the chain and lists them.
void tell_calls(Finding& finding, const Program& program, int function, const std::vector<int>& events) {
  const facts::Function& f = program.function(function);
  finding.callee.clear();
  finding.location = span(f, events);
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& event = f.events[events[i]];
    const size_t rest = events.size() - i;
    const bool is_full = finding.evidence.size() >= kMostNotes && rest > 1;
    finding.evidence.push_back({to_location(event.place), is_full ? "and " + std::to_string(rest) + " more from here"
                                                                  : "'" + facts::last_name(event.callee.name) + "' " +
                                                                        what_it_does(program, event)});
    if (is_full) return;
  }
}

void in_function(const Program& program, int f, TensorResults& results, const Fewest& fewest, Reporter& reporter) {
  for (const TensorChain& chain : tensor_chains(program, f, results)) {
    const double least = chain.reduction >= 0 ? fewest.before_reduction : fewest.alone;
    if (static_cast<double>(chain.events.size()) < least || !runs_on_gpu(program, f, chain.events.back())) continue;
    const Located where = located_at({f, chain.events.back()}, program.heat({f, chain.events.back()}));
    if (!where.heat.hot || where.heat.dropped) continue;
    const std::string kernels = std::to_string(chain.events.size());
    Finding& finding =
        reporter.report("unfused-elementwise-chain", program, where,
                        kernels + " pointwise operations in a row (" + some_names(program, f, chain.events) + ")" +
                            (chain.reduction >= 0 ? " and a sum of their result" : "") +
                            " each launch a kernel that reads and writes whole tensors, " + often(where.heat) +
                            "; one kernel can do all of them");
    tell_calls(finding, program, f, chain.events);
    reporter.use_fix_for(finding, "libtorch");
  }
}

bool writes(const KernelLink& link, const std::string& name) {
  return std::any_of(link.arrays.begin(), link.arrays.end(),
                     [&](const KernelLink::Array& array) { return array.writes && array.name() == name; });
}

// The name of the array that the chain's kernels pass on to each other, taken from the argument of the last one.
std::string array_name(const Program& program, int function, const KernelChain& chain, KernelLinks& links) {
  const auto& f = program.function(function);
  const Event& last = f.events[chain.steps.back().event];
  for (const KernelLink::Array& array : chain.steps.back().link.arrays) {
    const bool handed_on = std::any_of(chain.steps.begin(), chain.steps.end() - 1,
                                       [&](const KernelChain::Step& step) { return writes(step.link, array.name()); });
    for (size_t i = 0; handed_on && i < last.arg_sums.size() && i < last.args.size(); ++i) {
      if (links.named(last.arg_sums[i], function) == array.base) return "'" + last.args[i].text + "'";
    }
  }
  return "an array";
}

// The number of passes over memory that the kernels make now, and the number that one fused kernel needs, which reads
// each input array once and writes each result once. Elements that all threads share, such as a bias, are not counted.
std::pair<size_t, size_t> passes_over_memory(const KernelChain& chain) {
  size_t now = 0;
  std::set<std::string> read, written;
  for (const KernelChain::Step& step : chain.steps) {
    std::set<std::string> reads, writes;  // x * x is read once
    for (const KernelLink::Array& array : step.link.arrays) {
      if (array.reads) reads.insert(array.name());
      if (array.writes) writes.insert(array.name());
    }
    now += reads.size() + writes.size();
    for (const std::string& array : reads) {
      if (!written.count(array)) read.insert(array);
    }
    written.insert(writes.begin(), writes.end());
  }
  return {now, read.size() + written.size()};
}

// Whether `whole` contains all of `part`; both are sorted.
bool is_part(const std::vector<int>& part, const std::vector<int>& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

void kernels_in_function(const Program& program, int f, const std::vector<KernelChain>& chains, KernelLinks& links,
                         Reporter& reporter) {
  for (const KernelChain& chain : chains) {
    const std::vector<int> events = chain.events();
    const Located where = located_at({f, events.front()}, program.heat({f, events.front()}));
    if (!where.heat.hot || where.heat.dropped) continue;
    const auto [now, needed] = passes_over_memory(chain);
    const bool copies = std::ranges::any_of(chain.steps, [](const auto& step) { return step.link.copies; });
    Finding& finding = reporter.report(
        "unfused-elementwise-chain", program, where,
        std::to_string(events.size()) +
            (copies ? " elementwise kernels and copies in a row (" : " elementwise kernels in a row (") +
            some_names(program, f, events) + ") go through the same elements of " +
            array_name(program, f, chain, links) + ", " + often(where.heat) + ": " + std::to_string(now) +
            " passes over memory where one kernel needs at most " + std::to_string(needed));
    tell_calls(finding, program, f, events);
  }
}

// Reports chains of operators of the program's own matrix class: (a * b + c).sqrt().
void operators_in_function(const Program& program, int f, const std::vector<std::vector<int>>& chains,
                           Reporter& reporter) {
  for (const std::vector<int>& chain : chains) {
    const Located where = located_at({f, chain.back()}, program.heat({f, chain.back()}));
    if (!where.heat.hot || where.heat.dropped) continue;
    Finding& finding = reporter.report("unfused-elementwise-chain", program, where,
                                       std::to_string(chain.size()) + " pointwise operations in a row (" +
                                           some_names(program, f, chain) +
                                           ") each launch a kernel that reads and writes whole arrays, " +
                                           often(where.heat) + "; one kernel can do all of them");
    tell_calls(finding, program, f, chain);
  }
}

// Reports chains of the program's own kernels and operators. A matrix class may have methods that write into a given
// matrix besides those that return a new one; of two chains that share calls, the longer is reported.
void written_in_function(const Program& program, int f, KernelLinks& links, UsualWorks& works, const Fewest& fewest,
                         Reporter& reporter) {
  std::vector<KernelChain> kernels = kernel_chains(program, f, links);
  std::vector<std::vector<int>> operators = operator_chains(program, f, works);
  std::erase_if(kernels, [&](const KernelChain& chain) { return chain.steps.size() < fewest.written; });
  std::erase_if(operators, [&](const std::vector<int>& chain) { return chain.size() < fewest.alone; });
  std::erase_if(operators, [&](const std::vector<int>& chain) {
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const KernelChain& other) { return is_part(chain, other.events()); });
  });
  std::erase_if(kernels, [&](const KernelChain& chain) {
    return std::any_of(operators.begin(), operators.end(),
                       [&](const std::vector<int>& other) { return is_part(chain.events(), other); });
  });
  kernels_in_function(program, f, kernels, links, reporter);
  operators_in_function(program, f, operators, reporter);
}

}  // namespace

void unfused_elementwise_chain(const Program& program, Reporter& reporter) {
  const char* rule = "unfused-elementwise-chain";
  const Fewest fewest{reporter.threshold(rule, "min_launches"),
                      reporter.threshold(rule, "min_launches_before_reduction"),
                      reporter.threshold(rule, "min_kernels")};
  const int functions = static_cast<int>(program.functions().size());
  KernelLinks links(program);
  UsualWorks works(program);
  for (int f = 0; f < functions; ++f) written_in_function(program, f, links, works, fewest, reporter);
  if (!program.usage().cuda_tensors) return;
  TensorResults results(program);
  for (int f = 0; f < functions; ++f) in_function(program, f, results, fewest, reporter);
}

}  // namespace syncsniff::checks
