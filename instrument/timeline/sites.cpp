#include "instrument/timeline/sites.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace syncsniff::timeline {
namespace {

using reader::Places;
using reader::Trace;
using trace::CallClass;

// For each thread: when it called CUDA, in order; and when it was inside a timed call.
struct ThreadCalls {
  std::vector<uint64_t> begins;
  std::vector<Interval> inside;

  uint64_t next_begin(uint64_t time_ns) const {  // 0: no later call
    auto it = std::lower_bound(begins.begin(), begins.end(), time_ns);
    return it == begins.end() ? 0 : *it;
  }
  uint64_t overlap(uint64_t begin, uint64_t end) const {
    auto it = std::upper_bound(inside.begin(), inside.end(), begin,
                               [](uint64_t t, const Interval& i) { return t < i.begin; });
    if (it != inside.begin()) --it;
    uint64_t sum = 0;
    for (; it != inside.end() && it->begin < end; ++it) {
      const uint64_t from = std::max(begin, it->begin), to = std::min(end, it->end);
      if (to > from) sum += to - from;
    }
    return std::min(sum, end - begin);
  }
};

// True for a launch or a copy that does not block: it is listed only for its time, and counted elsewhere.
bool is_step_mark(const trace::CallRecord& call) {
  const auto call_class = static_cast<CallClass>(call.call_class);
  return !waited(call) && (call_class == CallClass::kCopy || call_class == CallClass::kLaunch);
}

class StrandBuilder {
 public:
  StrandBuilder(const Trace& trace, const Places& places, const Steps& steps)
      : trace_(trace), places_(places), steps_(steps) {
    uint64_t sum = 0;
    for (const Interval& step : steps.regular) {
      stepping_before_.push_back(sum);
      sum += step.length();
    }
  }

  std::vector<Site> build() {
    index_threads();
    for (const auto& call : trace_.calls) add_call(call);
    for (const auto& idle : trace_.idles) add_idle(idle.record);
    for (const auto& count : trace_.site_counts) add_count(count.record);
    std::sort(sites_.begin(), sites_.end(),
              [](const Site& a, const Site& b) { return std::tie(a.stacks[0], a.api) < std::tie(b.stacks[0], b.api); });
    return std::move(sites_);
  }

 private:
  void index_threads() {
    for (const auto& call : trace_.calls) {
      ThreadCalls& thread = threads_[call.tid];
      thread.begins.push_back(call.record.begin_ns);
      thread.inside.push_back({call.record.begin_ns, call.record.begin_ns + call.record.duration_ns});
    }
    for (const auto& burst : trace_.bursts) threads_[burst.tid].begins.push_back(burst.record.first_begin_ns);
    for (auto& [tid, thread] : threads_) std::sort(thread.begins.begin(), thread.begins.end());
  }

  Site& site_of(uint32_t stack, uint32_t api, uint8_t call_class) {
    auto [it, fresh] = by_stack_.try_emplace((uint64_t{stack} << 32) | api, 0);
    if (fresh) {
      it->second = sites_.size();
      Site site;
      site.place = places_.user_place(stack);
      site.api = trace_.api_name(api);
      site.call_class = static_cast<CallClass>(call_class);
      site.stacks = {stack};
      sites_.push_back(std::move(site));
    }
    return sites_[it->second];
  }

  template <class Change>
  void tally(Site& site, uint64_t time_ns, Change change) {
    change(site.run);
    if (steps_.contains(time_ns)) change(site.stepping);
    if (steps_.before(time_ns)) change(site.start_up);
    if (steps_.leaves_out(time_ns)) change(site.left_out);
  }

  void add_call(const reader::Event<trace::CallRecord>& event) {
    const trace::CallRecord& call = event.record;
    if ((call.flags & trace::kInWindow) != 0 || is_step_mark(call)) return;
    Site& site = site_of(call.stack, call.api, call.call_class);
    site.host_memory |=
        static_cast<uint8_t>(1u << (call.src_memory & 7)) | static_cast<uint8_t>(1u << (call.dst_memory & 7));
    const bool blocked = is_blocked(call);
    const uint64_t end = call.begin_ns + call.duration_ns;
    const uint64_t next = threads_[event.tid].next_begin(std::max(end, call.begin_ns + 1));
    const uint64_t exposed = waited(call) && next > end ? next - end : 0;
    const bool unproven = (call.flags & trace::kDrained) == 0;
    tally(site, call.begin_ns, [&](Tally& t) {
      ++t.calls;
      t.in_call_ns += call.duration_ns;
      t.bytes += call.bytes;
      t.polls += call.polls;
      t.exposed_ns += exposed;
      if (blocked) t.blocked_ns += call.duration_ns;
      if (unproven) t.saving_ns += exposed;
    });
  }

  void add_idle(const trace::IdleRecord& idle) {
    if (idle.end_ns <= idle.begin_ns) return;
    Site& site = site_of(idle.wait_stack, idle.wait_api, static_cast<uint8_t>(CallClass::kWait));
    const uint64_t length = idle.end_ns - idle.begin_ns;
    const uint64_t in_calls = threads_[idle.wait_tid].overlap(idle.begin_ns, idle.end_ns);
    tally(site, idle.begin_ns, [&](Tally& t) {
      t.idle_ns += length;
      t.idle_in_calls_ns += in_calls;
      t.saving_ns += length;
    });
  }

  void add_count(const trace::SiteCountRecord& count) {
    Site& site = site_of(count.stack, count.api, count.call_class);
    auto add = [&](Tally& t, uint64_t calls, uint64_t ns, uint64_t bytes) {
      if (count.call_class == static_cast<uint8_t>(CallClass::kLaunch)) {
        t.launches += calls;
        t.launch_ns += ns;
      } else {
        t.calls += calls;
        t.in_call_ns += ns;
        t.bytes += bytes;
      }
    };
    add(site.run, count.count, count.total_ns, count.bytes);
    const bool launch = count.call_class == static_cast<uint8_t>(CallClass::kLaunch);
    const bool copy = count.call_class == static_cast<uint8_t>(CallClass::kCopy);
    const double share = launch ? burst_share(count, &trace::BurstRecord::launches)
                         : copy ? burst_share(count, &trace::BurstRecord::copies)
                                : stepping_share(count.first_ns, count.last_ns);
    auto part = [&](uint64_t whole) { return static_cast<uint64_t>(static_cast<double>(whole) * share + 0.5); };
    if (share > 0) add(site.stepping, part(count.count), part(count.total_ns), part(count.bytes));
  }

  // The share of the launches (or copies) from the first to the last that were in regular steps, according to the
  // bursts of all threads.
  double burst_share(const trace::SiteCountRecord& count, uint32_t trace::BurstRecord::* operations) const {
    const uint64_t first = count.first_ns, last = count.last_ns;
    auto by_begin = [](const auto& burst, uint64_t time) { return burst.record.first_begin_ns < time; };
    auto it = std::lower_bound(trace_.bursts.begin(), trace_.bursts.end(), first, by_begin);
    if (it != trace_.bursts.begin() && (it == trace_.bursts.end() || it->record.first_begin_ns > first)) --it;
    double all = 0, inside = 0;
    for (; it != trace_.bursts.end() && it->record.first_begin_ns <= last; ++it) {
      const double number = it->record.*operations;
      all += number;
      inside += number * share_in_steps(it->record);
    }
    return all == 0 ? stepping_share(first, last) : inside / all;
  }

  // The share of a burst in regular steps. A burst belongs to the step it begins in; one that lasts for more than two
  // steps belongs to all of them.
  double share_in_steps(const trace::BurstRecord& burst) const {
    if (burst.last_end_ns > burst.first_begin_ns + 2 * steps_.median_ns)
      return stepping_share(burst.first_begin_ns, burst.last_end_ns);
    return steps_.contains(burst.first_begin_ns) ? 1 : 0;
  }

  // The share of [first, last] that lies in regular steps. Used for counted calls, which have no times of their own.
  double stepping_share(uint64_t first, uint64_t last) const {
    if (!steps_.found()) return 0;
    if (last <= first) return steps_.contains(first) ? 1 : 0;
    return static_cast<double>(stepping_until(last) - stepping_until(first)) / static_cast<double>(last - first);
  }

  // Total length of regular steps before `time_ns`. Called for each burst, so it uses precomputed sums.
  uint64_t stepping_until(uint64_t time_ns) const {
    const auto& regular = steps_.regular;
    auto next = std::upper_bound(regular.begin(), regular.end(), time_ns,
                                 [](uint64_t time, const Interval& step) { return time < step.begin; });
    if (next == regular.begin()) return 0;
    const auto last = static_cast<size_t>(next - regular.begin() - 1);
    return stepping_before_[last] + std::min(time_ns, regular[last].end) - regular[last].begin;
  }

  const Trace& trace_;
  const Places& places_;
  const Steps& steps_;
  std::vector<uint64_t> stepping_before_;  // by regular step: total length of the steps before it
  std::unordered_map<uint32_t, ThreadCalls> threads_;
  std::unordered_map<uint64_t, size_t> by_stack_;
  std::vector<Site> sites_;
};

}  // namespace

bool waited(const trace::CallRecord& call) {
  if ((call.flags & trace::kBlocked) != 0) return true;
  const auto call_class = static_cast<CallClass>(call.call_class);
  return call_class == CallClass::kWait || call_class == CallClass::kImplicitWait ||
         (call_class == CallClass::kPoll && call.polls > 1);
}

bool is_blocked(const trace::CallRecord& call) {
  const auto call_class = static_cast<CallClass>(call.call_class);
  return waited(call) || call_class == CallClass::kAllocate || call_class == CallClass::kFree ||
         call_class == CallClass::kModuleLoad;
}

Tally& Tally::operator+=(const Tally& other) {
  calls += other.calls;
  in_call_ns += other.in_call_ns;
  blocked_ns += other.blocked_ns;
  idle_ns += other.idle_ns;
  idle_in_calls_ns += other.idle_in_calls_ns;
  exposed_ns += other.exposed_ns;
  saving_ns += other.saving_ns;
  bytes += other.bytes;
  polls += other.polls;
  launches += other.launches;
  launch_ns += other.launch_ns;
  return *this;
}

std::vector<Site> build_strands(const Trace& trace, const Places& places, const Steps& steps) {
  return StrandBuilder(trace, places, steps).build();
}

std::vector<Site> merge_by_place(const std::vector<Site>& strands) {
  std::map<std::tuple<std::string, uint32_t, uint64_t, std::string>, Site> merged;
  for (const Site& strand : strands) {
    const reader::Place& place = strand.place;
    auto [it, fresh] = merged.try_emplace({place.file, place.line, place.offset, strand.api}, strand);
    if (fresh) continue;
    it->second.stacks.insert(it->second.stacks.end(), strand.stacks.begin(), strand.stacks.end());
    it->second.run += strand.run;
    it->second.stepping += strand.stepping;
    it->second.start_up += strand.start_up;
    it->second.left_out += strand.left_out;
    it->second.host_memory |= strand.host_memory;
  }
  std::vector<Site> sites;
  for (auto& [key, site] : merged) sites.push_back(std::move(site));
  std::stable_sort(sites.begin(), sites.end(), [](const Site& a, const Site& b) {
    return a.run.saving_ns + a.run.blocked_ns > b.run.saving_ns + b.run.blocked_ns;
  });
  return sites;
}

}  // namespace syncsniff::timeline
