#include "instrument/timeline/period_segments.h"

#include <algorithm>
#include <utility>

#include "instrument/timeline/median.h"

namespace syncsniff::timeline {
namespace {

constexpr double kNearlyEverySegment = 0.95;  // of the segments
constexpr double kGraphWeight = 8;
constexpr double kLikeNeighbour = 0.85;
constexpr double kLeastHeld = 0.25;  // of the segment that does more

// Occurrences of each symbol in one segment; cleared in time proportional to the segment.
class SymbolCounts {
 public:
  explicit SymbolCounts(size_t symbols) : counts_(symbols, 0) {}
  void take(const EnqueueWindow& window, const Segment& segment) {
    clear();
    for (size_t i = segment.begin; i < segment.end; ++i)
      if (counts_[window[i].symbol]++ == 0) present_.push_back(window[i].symbol);
  }
  void clear() {
    for (const uint32_t symbol : present_) counts_[symbol] = 0;
    present_.clear();
  }
  const std::vector<uint32_t>& present() const { return present_; }
  uint32_t operator[](uint32_t symbol) const { return counts_[symbol]; }

 private:
  std::vector<uint32_t> counts_, present_;
};

// Two neighbouring segments, by the weights of their kinds of enqueues.
struct Likeness {
  double alike = 0;  // share of the kinds that come equally often in both
  // One does nearly all that the other does, and more: an actor-critic method that updates its actor every second step,
  // a GAN that updates its generator every fifth.
  bool one_holds_other = false;
};

Likeness compare(const SymbolCounts& a, const SymbolCounts& b, const std::vector<double>& weights) {
  double sum = 0, whole = 0, in_a = 0, in_b = 0;
  auto add = [&](uint32_t symbol) {
    const double fewer = std::min(a[symbol], b[symbol]), more = std::max(a[symbol], b[symbol]),
                 weight = weights[symbol];
    sum += weight * fewer / more;
    whole += weight;
    if (a[symbol] != 0) in_a += weight;
    if (b[symbol] != 0) in_b += weight;
  };
  for (const uint32_t symbol : a.present()) add(symbol);
  for (const uint32_t symbol : b.present())
    if (a[symbol] == 0) add(symbol);
  if (whole == 0) return {};
  const double smaller = std::min(in_a, in_b);
  return {sum / whole, sum >= kLikeNeighbour * smaller && smaller >= kLeastHeld * std::max(in_a, in_b)};
}

// The enqueues of segments that belong together with a neighbour. Segments of one window are given in turn.
class Together {
 public:
  void add(bool with_last, const Segment& last, const Segment& segment) {
    if (with_last) enqueues_ += segment.size() + (is_last_counted_ ? 0 : last.size());
    is_last_counted_ = with_last;
  }
  void begin_window() { is_last_counted_ = false; }
  size_t enqueues() const { return enqueues_; }
  double share_of(size_t all) const { return all == 0 ? 0 : static_cast<double>(enqueues_) / static_cast<double>(all); }

 private:
  bool is_last_counted_ = false;
  size_t enqueues_ = 0;
};

bool holds_optimizer_and_others(const EnqueueWindow& window, const Segment& segment) {
  size_t optimizers = 0;
  for (size_t i = segment.begin; i < segment.end; ++i) optimizers += window[i].optimizer;
  return optimizers != 0 && optimizers != segment.size();
}

class Alikeness {
 public:
  explicit Alikeness(size_t symbols) : smaller_(symbols, 0), larger_(symbols, 0) {}
  void add(const SymbolCounts& a, const SymbolCounts& b) {
    for (const uint32_t symbol : a.present()) add(symbol, a[symbol], b[symbol]);
    for (const uint32_t symbol : b.present())
      if (a[symbol] == 0) add(symbol, 0, b[symbol]);
  }
  double mean(const std::vector<double>& weights, double& whole) const {
    double sum = 0;
    whole = 0;
    for (size_t i = 0; i < larger_.size(); ++i) {
      if (larger_[i] == 0) continue;
      sum += weights[i] * static_cast<double>(smaller_[i]) / static_cast<double>(larger_[i]);
      whole += weights[i];
    }
    return whole == 0 ? 0 : sum / whole;
  }

 private:
  void add(uint32_t symbol, uint32_t a, uint32_t b) {
    smaller_[symbol] += std::min(a, b);
    larger_[symbol] += std::max(a, b);
  }
  std::vector<uint64_t> smaller_, larger_;
};

}  // namespace

Segments segments_at(const std::vector<EnqueueWindow>& windows, uint32_t symbol) {
  Segments segments;
  for (size_t w = 0; w < windows.size(); ++w) {
    size_t begin = SIZE_MAX;
    for (size_t i = 0; i < windows[w].size(); ++i) {
      if (windows[w][i].symbol != symbol) continue;
      if (begin != SIZE_MAX) segments.push_back({w, begin, i});
      begin = i;
    }
  }
  return segments;
}

std::vector<double> weights_of(const std::vector<EnqueueWindow>& windows) {
  std::vector<double> weights;
  for (const EnqueueWindow& window : windows)
    for (const Enqueue& one : window) {
      if (one.symbol >= weights.size()) weights.resize(one.symbol + 1, 0);
      weights[one.symbol] = one.kind == EnqueueKind::kGraph ? kGraphWeight : 1;
    }
  return weights;
}

Cut cut_at(const std::vector<EnqueueWindow>& windows, const std::vector<double>& weights, uint32_t symbol) {
  const size_t symbols = weights.size();
  const Segments segments = segments_at(windows, symbol);
  Cut cut;
  cut.symbol = symbol;
  cut.segments = segments.size();
  Alikeness alikeness(symbols);
  SymbolCounts before(symbols), now(symbols);
  size_t inside = 0, all = 0, optimizing = 0;
  std::vector<size_t> kinds;
  Together repeating, stepping, compared;
  for (size_t i = 0; i < segments.size(); ++i) {
    const EnqueueWindow& window = windows[segments[i].window];
    now.take(window, segments[i]);
    kinds.push_back(now.present().size());
    if (i != 0 && segments[i - 1].window == segments[i].window) {
      alikeness.add(before, now);
      const Likeness likeness = compare(before, now, weights);
      const bool alike = likeness.alike >= kLikeNeighbour;
      repeating.add(alike, segments[i - 1], segments[i]);
      stepping.add(alike || likeness.one_holds_other, segments[i - 1], segments[i]);
      compared.add(true, segments[i - 1], segments[i]);
    } else {
      repeating.begin_window();
      stepping.begin_window();
      compared.begin_window();
    }
    optimizing += holds_optimizer_and_others(window, segments[i]);
    std::swap(before, now);
    inside += segments[i].size();
  }
  for (const EnqueueWindow& window : windows) all += window.size();
  cut.each_kinds = median(std::move(kinds));
  cut.alike = alikeness.mean(weights, cut.kinds);
  if (all != 0) {
    cut.covers = static_cast<double>(inside) / static_cast<double>(all);
    cut.repeating = repeating.share_of(all);
    cut.compared = compared.share_of(all);
    cut.stepping = stepping.share_of(compared.enqueues());
  }
  if (!segments.empty()) cut.optimizing = static_cast<double>(optimizing) / static_cast<double>(segments.size());
  return cut;
}

std::vector<uint32_t> once_each(const std::vector<EnqueueWindow>& windows, const Segments& segments, size_t symbols) {
  std::vector<size_t> once(symbols, 0);
  SymbolCounts tally(symbols);
  for (const Segment& segment : segments) {
    tally.take(windows[segment.window], segment);
    for (const uint32_t symbol : tally.present()) once[symbol] += tally[symbol] == 1;
  }
  std::vector<uint32_t> list;
  for (uint32_t symbol = 0; symbol < symbols; ++symbol)
    if (static_cast<double>(once[symbol]) >= kNearlyEverySegment * static_cast<double>(segments.size()) &&
        once[symbol] != 0)
      list.push_back(symbol);
  return list;
}

size_t median_enqueues(const Segments& segments) {
  std::vector<size_t> sizes;
  for (const Segment& segment : segments) sizes.push_back(segment.size());
  return median(std::move(sizes));
}

}  // namespace syncsniff::timeline
