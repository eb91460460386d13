#include "analyzer/program/repetitions.h"

#include <algorithm>
#include <set>
#include <string>

#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

bool reads_time(const ApiFact* fact) { return fact && (fact->host_work == "clock" || fact->reads_elapsed); }

bool picks(const Event& event, int loop) {
  return varies_with(event, loop) || (!event.callee.harmless && passes_index(event, loop));
}

}  // namespace

// Whether the event reads a clock or the time between two events on the GPU, itself or in a callee that enqueues
// nothing.
bool Repetitions::takes_time(Site site, int depth) const {
  constexpr int kDeepest = 4;
  if (reads_time(code_.api(code_.event(site)))) return true;
  if (depth == kDeepest || effects_.of(site).enqueues) return false;
  return std::any_of(graph_.callees(site).begin(), graph_.callees(site).end(), [&](int callee) {
    const int count = static_cast<int>(code_.function(callee).events.size());
    for (int e = 0; e < count; ++e) {
      if (takes_time({callee, e}, depth + 1)) return true;
    }
    return false;
  });
}

// Whether the source of every kernel that the call leads to is known.
bool Repetitions::shows_kernels(Site site, int depth) const {
  constexpr int kDeepest = 6;
  if (!effects_.of(site).launches) return true;
  const Event& here = code_.event(site);
  if (here.kind == Event::Kind::kLaunch) return !share_.kernels_of(site).empty();
  if (here.kind != Event::Kind::kCall || depth == kDeepest) return false;
  return std::all_of(graph_.callees(site).begin(), graph_.callees(site).end(), [&](int callee) {
    const int count = static_cast<int>(code_.function(callee).events.size());
    for (int e = 0; e < count; ++e) {
      if (!shows_kernels({callee, e}, depth + 1)) return false;
    }
    return true;
  });
}

bool Repetitions::tries_few(int function, int region) const {
  constexpr long kFewVariants = 16;
  const Function& f = code_.function(function);
  const Region& loop = f.regions[region];
  if (loop.trips <= 0 || loop.trips > kFewVariants || loop.carries_value) return false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (code_.inside(f, f.events[e].region, region) && !shows_kernels({function, e}, 0)) return false;
  }
  return !share_.goes_on(function, region);
}

// Whether no iteration of the loop uses what an earlier one left on the GPU, or data that the host prepares for it.
bool Repetitions::repeats_itself(int function, int region) const {
  const Function& f = code_.function(function);
  const Region& loop = f.regions[region];
  const bool counts = loop.kind == Region::Kind::kLoop && loop.text.rfind("for", 0) == 0 && loop.collection.empty();
  if (!counts || loop.forever || loop.carries_value || learning_.learns_around(function, region)) return false;
  std::set<std::string> written, sent;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& here = f.events[e];
    if (!code_.inside(f, here.region, region)) continue;
    if (picks(here, region) || !shows_kernels({function, e}, 0)) return false;
    const ApiFact* fact = code_.api(here);
    if (here.kind == Event::Kind::kStore) written.insert(here.object.node);
    for (size_t i = 0; i < here.args.size(); ++i) {
      if (fact && fact->copy && fact->copy->src == static_cast<int>(i))
        sent.insert(here.args[i].value.node);
      else if (here.kind == Event::Kind::kCall && !effects_.of({function, e}).enqueues && !here.args[i].node.empty())
        written.insert(here.args[i].value.node);
    }
  }
  if (std::any_of(sent.begin(), sent.end(), [&](const std::string& node) { return written.count(node) != 0; }))
    return false;
  return !share_.goes_on(function, region);
}

bool Repetitions::repeats_for_timing(int function, int region) const {
  const auto [known, fresh] = timed_repeats_.try_emplace({function, region}, false);
  if (!fresh) return known->second;
  const Function& f = code_.function(function);
  bool timed = false, behind = false;
  for (int e = 0; e < static_cast<int>(f.events.size()) && !timed; ++e) {
    behind |= code_.inside(f, f.events[e].region, region);
    timed = behind && takes_time({function, e}, 0);
  }
  return timed_repeats_[{function, region}] = timed && repeats_itself(function, region);
}

Repetitions::Inner Repetitions::inner_loops(int function, int region) const {
  const Function& f = code_.function(function);
  Inner most = Inner::kNone;
  for (int r = 1; r < static_cast<int>(f.regions.size()); ++r) {
    if (r == region || f.regions[r].kind != Region::Kind::kLoop || !code_.inside(f, r, region)) continue;
    if (!effects_.of_region(function, r).launches) continue;
    if (!repeats_itself(function, r)) return Inner::kOther;
    most = std::max(most, repeats_for_timing(function, r) ? Inner::kTimed : Inner::kRepeats);
  }
  return most;
}

bool Repetitions::is_around_timing(int function, int region) const {
  const auto [known, fresh] = around_timing_.try_emplace({function, region}, false);
  if (!fresh) return known->second;
  if (learning_.learns_around(function, region)) return false;
  const Function& f = code_.function(function);
  Inner most = inner_loops(function, region);
  for (int e = 0; e < static_cast<int>(f.events.size()) && most != Inner::kOther; ++e) {
    if (!code_.inside(f, f.events[e].region, region) || !effects_.of({function, e}).launches) continue;
    for (const int callee : graph_.callees({function, e})) most = std::max(most, inner_loops(callee, 0));
  }
  return around_timing_[{function, region}] = most == Inner::kTimed;
}

bool Repetitions::times_callbacks(int function, int region) const {
  const auto [known, fresh] = timing_loops_.try_emplace({function, region}, false);
  if (!fresh) return known->second;
  const Function& f = code_.function(function);
  bool begins = false, runs = false, ends = false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const ApiFact* fact = code_.api(f.events[e]);
    if (!code_.inside(f, f.events[e].region, region)) {
      const bool clock = fact && fact->host_work == "clock";
      begins |= clock && !runs;
      ends |= clock && runs;
      continue;
    }
    if (!effects_.of({function, e}).enqueues) continue;
    const std::vector<int>& to = graph_.callees({function, e});
    if (to.empty() ||
        !std::all_of(to.begin(), to.end(), [&](int c) { return callbacks_.runs_callback({function, e}, c); }))
      return false;
    runs = true;
  }
  return known->second = begins && runs && ends;
}

}  // namespace syncsniff::program
