#include "analyzer/facts/kernel_bodies.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>

#include "analyzer/facts/kernel_slices.h"
#include "analyzer/facts/kernel_updates.h"
#include "analyzer/facts/kernel_walk.h"
#include "analyzer/facts/shared_reads.h"
#include "analyzer/facts/thread_walks.h"

namespace syncsniff::facts {

namespace {

bool starts_with(const std::string& symbol, char kind) { return !symbol.empty() && symbol[0] == kind; }

// blockIdx.x * 256 + threadIdx.x equals blockIdx.x * blockDim.x + threadIdx.x if the kernel is launched with blocks of
// 256.
Sum with_block_sizes(const Sum& sum) {
  Sum out;
  for (const Product& p : sum.products) {
    const bool block = p.of.size() == 1 && starts_with(p.of[0], kBlock);
    const auto thread = std::find_if(sum.products.begin(), sum.products.end(), [&](const Product& q) {
      return block && q.of.size() == 1 && q.of[0] == kThread + p.of[0].substr(1);
    });
    const bool fixed = block && thread != sum.products.end() && thread->factor != 0 && p.factor > thread->factor &&
                       p.factor % thread->factor == 0;
    out = out + (fixed ? sum_of(thread->factor) * sum_of(p.of[0]) * sum_of(kBlockSize + p.of[0].substr(1)) : sum_of(p));
  }
  return out;
}

bool counts_turns(const std::string& symbol) { return starts_with(symbol, kCounter) || starts_with(symbol, kUnrolled); }

// Counters that are multiplied by the grid's size or by the block's index: in each iteration the whole grid moves on,
// as in for (k = 0;; ++k) { i = (k * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x; if (i >= n) return; ... } An
// iteration does what other threads could have done.
std::set<std::string> striding_counters(const Sum& sum) {
  std::set<std::string> out;
  for (const Product& p : sum.products) {
    const bool over_grid = has_kind(p, kGridSize) || has_kind(p, kBlock);
    for (const std::string& symbol : p.of) {
      if (over_grid && counts_turns(symbol)) out.insert(symbol);
    }
  }
  return out;
}

// The sum in the first iteration of those counters' loops.
Sum in_first_turn(const Sum& sum, const std::set<std::string>& counters) {
  Sum out;
  for (const Product& p : sum.products) {
    const bool later = std::any_of(p.of.begin(), p.of.end(), [&](const std::string& s) { return counters.count(s); });
    if (!later) out = out + sum_of(p);
  }
  return out;
}

// An index, split into the part that differs between threads and the part that stays within one thread's elements.
struct Index {
  bool own = false;
  Sum at;         // the first byte of the thread's elements, if they are its own
  int loops = 0;  // loops around it that only advance the grid
};

Index own_index(const MemoryAccess& access) {
  const std::set<std::string> striding = striding_counters(access.at);
  const Sum sum = with_block_sizes(in_first_turn(access.at, striding));
  Index out;
  out.loops = static_cast<int>(
      std::count_if(striding.begin(), striding.end(), [](const std::string& s) { return starts_with(s, kCounter); }));
  long long unit = 0, low = 0, high = access.bytes;
  for (const Product& p : sum.products) {
    if (has_kind(p, kUnknownIndex[0]) || has_kind(p, kCounter)) return out;
    if (has_kind(p, kUnrolled)) {
      if (p.of.size() != 1) return out;
      const long long last = p.factor * (std::atoll(p.of[0].c_str() + 1) - 1);
      low += std::min(last, 0LL);
      high += std::max(last, 0LL);
      continue;
    }
    if (p.of.empty()) {
      low += p.factor;
      high += p.factor;
      continue;
    }
    if (has_kind(p, kThread) || has_kind(p, kBlock))
      unit = unit ? std::min(unit, std::llabs(p.factor)) : std::llabs(p.factor);
    out.at = out.at + sum_of(p);
  }
  if (unit == 0) return out;
  const long long first = low >= 0 ? low / unit * unit : -((-low + unit - 1) / unit * unit);
  out.own = high - first <= unit;
  out.at = out.at + sum_of(first);
  return out;
}

// Whether each thread accesses its own elements either all in one loop over the grid or all outside of one. A value
// that is read in the loop and written after it, or written before it, is a sum or a start value of many elements.
bool same_strides(const std::vector<MemoryAccess>& accesses, const std::vector<Index>& indices) {
  std::optional<int> strides;
  for (size_t i = 0; i < accesses.size(); ++i) {
    if (!indices[i].own) continue;
    const int here = accesses[i].strides + indices[i].loops;
    if (strides.value_or(here) != here) return false;
    strides = here;
  }
  return true;
}

// Adds one access to what is known of its parameter; false if no elementwise kernel makes such an access.
bool add(const MemoryAccess& access, const Index& index, KernelParam& param) {
  if (access.loops > index.loops || (access.in_unrolled && !index.own)) return false;
  if (!index.own) {
    param.elsewhere = true;
    return !access.writes && !param.writes;
  }
  if ((param.reads || param.writes) && !(param.at == index.at)) {
    param.elsewhere = true;
    return !access.writes && !param.writes;
  }
  param.at = index.at;
  (access.writes ? param.writes : param.reads) = true;
  return !(param.writes && param.elsewhere);
}

}  // namespace

KernelBody read_kernel(const clang::FunctionDecl* kernel, const clang::ASTContext& context,
                       const ProjectFiles& project) {
  KernelWalk walk(context, project);
  KernelBody body;
  const bool plain = walk.walk(kernel);
  for (unsigned i = 0; i < kernel->getNumParams(); ++i) {
    const Update update = update_of(kernel, i);
    if (update != Update::kNone) body.updates.push_back(static_cast<int>(i));
    if (update == Update::kSum) body.sums.push_back(static_cast<int>(i));
  }
  Slices slices = slices_of(kernel);
  body.slices = std::move(slices.by);
  body.own_slices = std::move(slices.own);
  body.walks = walks_of_threads(walk, context);
  body.unsynced = unsynced_reads(kernel, context);
  if (!plain) return body;
  std::vector<Index> indices;
  std::transform(walk.accesses().begin(), walk.accesses().end(), std::back_inserter(indices), own_index);
  if (!same_strides(walk.accesses(), indices)) return body;
  std::vector<KernelParam> params(kernel->getNumParams());
  for (size_t i = 0; i < indices.size(); ++i) {
    const MemoryAccess& access = walk.accesses()[i];
    if (!add(access, indices[i], params[access.param])) return body;
  }
  body.params = std::move(params);
  body.elementwise =
      std::any_of(body.params.begin(), body.params.end(), [](const KernelParam& param) { return param.writes; });
  for (const KernelBody::Bound& bound : walk.bounds()) {
    const Sum index = in_first_turn(bound.index, striding_counters(bound.index));
    if (std::any_of(index.products.begin(), index.products.end(),
                    [](const Product& p) { return has_kind(p, kCounter); }))
      continue;
    const KernelBody::Bound found{with_block_sizes(index), bound.limit};
    const bool known = std::any_of(body.bounds.begin(), body.bounds.end(), [&](const KernelBody::Bound& b) {
      return b.index == found.index && b.limit == found.limit;
    });
    if (!known) body.bounds.push_back(found);
  }
  return body;
}

}  // namespace syncsniff::facts
