#include "analyzer/facts/thread_walks.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "analyzer/facts/names.h"

namespace syncsniff::facts {

namespace {

constexpr size_t kMostWalks = 32;
const std::string kThreadX = std::string(1, kThread) + "x";  // neighbouring threads of a warp differ in x

bool has(const Product& p, const std::string& symbol) {
  return std::find(p.of.begin(), p.of.end(), symbol) != p.of.end();
}

// For elements[t * chunk + k]: the distance between threads, and the symbol of the counter that goes through the
// elements.
struct Shape {
  Sum apart;
  std::string counter;
};

std::optional<Shape> shape_of(const MemoryAccess& access) {
  Shape shape;
  int by_thread = 0, by_counter = 0;
  for (const Product& p : access.at.products) {
    if (has_kind(p, kUnknownIndex[0])) return {};
    const bool counts = has_kind(p, kCounter) || has_kind(p, kUnrolled);
    if (has(p, kThreadX)) {
      if (counts || std::count(p.of.begin(), p.of.end(), kThreadX) != 1) return {};
      ++by_thread;
      shape.apart = sum_of(p.factor);
      for (const std::string& s : p.of) {
        if (s != kThreadX) shape.apart = shape.apart * sum_of(s);
      }
    } else if (counts && p.of.size() == 1 && p.factor == access.bytes) {
      ++by_counter;
      shape.counter = p.of.front();
    }
  }
  if (by_thread != 1 || by_counter != 1) return {};
  return shape;
}

}  // namespace

std::vector<KernelBody::Walk> walks_of_threads(const KernelWalk& kernel, const clang::ASTContext& context) {
  std::vector<KernelBody::Walk> out;
  for (const MemoryAccess& access : kernel.accesses()) {
    if (!access.expr || out.size() >= kMostWalks) continue;
    const auto shape = shape_of(access);
    if (!shape || (is_constant(shape->apart) && std::llabs(constant_part(shape->apart)) <= access.bytes)) continue;
    const auto loop = kernel.counted().find(shape->counter);
    KernelBody::Walk walk;
    walk.place = place_of(access.expr->getSourceRange(), context);
    walk.text = source_text(access.expr->getSourceRange(), context, 80);
    walk.apart = shape->apart;
    if (shape->counter[0] == kUnrolled)
      walk.bytes = access.bytes * std::atoll(shape->counter.c_str() + 1);
    else if (loop != kernel.counted().end())
      walk.bytes = access.bytes * loop->second.trips;
    if (loop != kernel.counted().end()) walk.loop = place_of(loop->second.stmt->getSourceRange(), context);
    out.push_back(std::move(walk));
  }
  return out;
}

}  // namespace syncsniff::facts
