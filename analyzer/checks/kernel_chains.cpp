#include "analyzer/checks/kernel_chains.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "analyzer/checks/copies.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

using Array = KernelLink::Array;

// Whether a later kernel can be fused with the chain (kFollows), or must keep its order relative to it (kDisturbs).
enum class Relation { kNone, kFollows, kDisturbs };

// The number of earlier writes to the objects that the address names (facts::kWrittenObject); nothing if the names
// differ in that number.
std::optional<int> writes_before(const std::string& text) {
  int names = 0, writes = 0;
  for (size_t at = 0; (at = text.find(facts::kWrittenObject, at)) != std::string::npos; ++at) {
    writes = std::atoi(text.c_str() + at + 1);
    ++names;
  }
  return names > 1 ? std::nullopt : std::optional(writes);
}

bool lies_in(const std::string& part, const std::string& whole) { return whole.find(part) != std::string::npos; }

// Whether control continues from the inner region to the code after it in `outer`, as from the branch in: if (momentum
// > 0) axpy(history, gradient); axpy(gradient, weights). False for branches that rarely run.
bool leads_out(const facts::Function& f, int inner, int outer) {
  int region = inner;
  for (; region > outer; region = f.regions[region].parent) {
    const facts::Region& branch = f.regions[region];
    if (branch.kind != facts::Region::Kind::kBranch || branch.gate != Gate::kNone || branch.question.open() ||
        branch.is_switch || branch.leaves)
      return false;
  }
  return region == outer;
}

bool touches(const KernelLink& link, const Array& array) {
  return std::ranges::any_of(link.arrays, [&](const Array& one) { return one.name() == array.name(); });
}

// Whether a copy of the chain saves a result in an array that no later step of the chain accesses: the code after the
// chain, such as a backward pass, reads that array.
bool saves_for_others(const KernelChain& chain) {
  for (size_t i = 0; i < chain.steps.size(); ++i) {
    const KernelLink& copy = chain.steps[i].link;
    if (!copy.copies) continue;
    const Array &to = copy.arrays[0], &from = copy.arrays[1];
    const auto writes_source = [&](const KernelChain::Step& step) {
      return std::ranges::any_of(step.link.arrays,
                                 [&](const Array& one) { return one.writes && one.name() == from.name(); });
    };
    const auto here = chain.steps.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(chain.steps.begin(), here, writes_source) &&
        std::none_of(here + 1, chain.steps.end(), [&](const auto& step) { return touches(step.link, to); }))
      return true;
  }
  return false;
}

class Finder {
 public:
  Finder(const Program& program, int function, KernelLinks& links)
      : program_(program), links_(links), f_(function), events_(program.function(f_).events) {}

  std::vector<KernelChain> find() {
    for (int e = 0; e < static_cast<int>(events_.size()); ++e) {
      const auto link = links_.at({f_, e});
      for (size_t i = 0; link && i < link->arrays.size(); ++i) arrays_.insert(text_of(link->arrays[i].base));
    }
    for (int e = 0; e < static_cast<int>(events_.size()); ++e) {
      if (program::is_label_between(program_.function(f_), e - 1, e)) end_all();
      // A wait writes nothing, so the fused kernel could run before or after it, unless the host reads what the first
      // kernel has written after the wait.
      const ApiFact* fact = program_.api(events_[e]);
      if (fact && is_explicit_wait(events_[e], *fact)) {
        host_may_look_ = true;
        continue;
      }
      const bool looks = events_[e].kind == Event::Kind::kHostRead || events_[e].kind == Event::Kind::kStore;
      if (looks && host_may_look_) end_all();
      const auto effects = program_.effects_of({f_, e});
      if (!(effects.enqueues || effects.launches || effects.waits || effects.unknown) || links_.is_off({f_, e}))
        continue;
      if (const auto link = links_.at({f_, e})) {
        host_may_look_ |= link->waits;
        add(e, *link);
      } else if (!hands_out_array(e))
        pass(e, effects);
    }
    end_all();
    std::sort(done_.begin(), done_.end(),
              [](const KernelChain& a, const KernelChain& b) { return a.steps.front().event < b.steps.front().event; });
    return std::move(done_);
  }

 private:
  Relation relate(const KernelChain& chain, const KernelLink& link, int event) const {
    const int region = program_.block_of({f_, event});
    bool follows = false, disturbs = false;
    // Only one of a switch's statements runs.
    const bool one_of_many = program_.function(f_).regions[region].is_switch;
    const bool joins = leads_out(program_.function(f_), chain.region, region) && !one_of_many &&
                       may_be_same_extent(chain.steps.front().link, link);
    for (const KernelChain::Step& earlier : chain.steps) {
      for (const Array& a : earlier.link.arrays) {
        for (const Array& b : link.arrays) {
          if (!(a.writes || b.writes) || !is_same(a, earlier.event, b, event)) continue;
          const bool own = !a.elsewhere && !b.elsewhere && same_element(earlier.link, a, link, b);
          // If the first result is only overwritten, this is no chain.
          follows |= own && a.writes && (a.reads || b.reads);
          disturbs |= !own;
          disturbs |= !joins;
        }
      }
    }
    if (disturbs) return Relation::kDisturbs;
    return follows ? Relation::kFollows : touches_order(chain, link, event) ? Relation::kDisturbs : Relation::kNone;
  }

  static std::string unwritten(const Sum& address) { return facts::without_writes(text_of(address)); }

  // Whether both are the same array. A call that receives &y to write y's elements may write y itself, so y.data has
  // another name after the call. If all calls in between that write y only launch kernels, it is still the same array.
  bool is_same(const Array& a, int first, const Array& b, int second) const {
    if (a.base == b.base) return true;
    const std::string name = a.name();
    const auto before = writes_before(text_of(a.base)), behind = writes_before(text_of(b.base));
    const auto writes = written_.find(name);
    if (!before || !behind || name != b.name() || writes == written_.end()) return false;
    const auto between = std::count_if(writes->second.begin(), writes->second.end(),
                                       [&](int event) { return first <= event && event < second; });
    return *behind - *before == between;
  }

  // The kernel overwrites an array that the chain reads or writes, without any other relation to it.
  bool touches_order(const KernelChain& chain, const KernelLink& link, int event) const {
    return std::any_of(chain.steps.begin(), chain.steps.end(), [&](const KernelChain::Step& earlier) {
      return std::any_of(earlier.link.arrays.begin(), earlier.link.arrays.end(), [&](const Array& a) {
        return std::any_of(link.arrays.begin(), link.arrays.end(),
                           [&](const Array& b) { return b.writes && is_same(a, earlier.event, b, event); });
      });
    });
  }

  void add(int e, const KernelLink& link) {
    end_if([&](const KernelChain& chain) { return relate(chain, link, e) == Relation::kDisturbs; });
    KernelChain joined{program_.block_of({f_, e}), {}};
    std::erase_if(open_, [&](KernelChain& chain) {
      if (relate(chain, link, e) != Relation::kFollows) return false;
      joined.steps.insert(joined.steps.end(), chain.steps.begin(), chain.steps.end());
      return true;
    });
    std::sort(joined.steps.begin(), joined.steps.end(),
              [](const KernelChain::Step& a, const KernelChain::Step& b) { return a.event < b.event; });
    joined.steps.push_back({e, link});
    open_.push_back(std::move(joined));
    for (const Array& array : link.arrays)
      if (array.writes && !link.stores) written_[array.name()].push_back(e);
  }

  // Whether the event only returns an array that the function passes to kernels. x.data() may first copy x to the
  // device, but does nothing else, so it could also be called before the chain. A method that returns the host copy is
  // excluded, since no kernel receives that pointer.
  bool hands_out_array(int e) {
    const auto array = links_.handed_out({f_, e});
    return array && arrays_.count(text_of(*array)) != 0;
  }

  // Handles other GPU work between the kernels, which may wait or use the chain's arrays.
  void pass(int e, const program::Effects& effects) {
    const Event& event = events_[e];
    // A function that only waits, such as one that starts a timer, counts as a wait.
    if (effects.waits && !effects.enqueues && !effects.launches && !effects.unknown) {
      host_may_look_ = true;
      end_if([&](const KernelChain& chain) { return uses(event, chain); });
      return;
    }
    const bool in_sight = event.kind == Event::Kind::kLaunch || event.kind == Event::Kind::kApi;
    const bool ends_all = effects.waits || effects.unknown || !in_sight;
    end_if([&](const KernelChain& chain) { return ends_all || uses(event, chain); });
  }

  // Whether the event uses an array of the chain. Compares texts: a struct that holds the array, or an address inside
  // it, counts as use.
  bool uses(const Event& event, const KernelChain& chain) {
    for (const Sum& given : event.arg_sums) {
      if (is_constant(given)) continue;
      const std::string text = unwritten(links_.named(given, f_));
      for (const KernelChain::Step& step : chain.steps) {
        for (const Array& array : step.link.arrays) {
          const std::string base = array.name();
          if (lies_in(base, text) || lies_in(text, base)) return true;
        }
      }
    }
    return false;
  }

  void end_all() {
    end_if([](const KernelChain&) { return true; });
  }

  template <class F>
  void end_if(const F& ends) {
    std::erase_if(open_, [&](KernelChain& chain) {
      if (!ends(chain)) return false;
      // A copy followed by one kernel is not reported, since the kernel may be a library's.
      const auto kernels = std::ranges::count_if(chain.steps, [](const auto& step) { return !step.link.copies; });
      if (kernels > 1 && !saves_for_others(chain)) done_.push_back(std::move(chain));
      return true;
    });
  }

  const Program& program_;
  KernelLinks& links_;
  const int f_;
  const std::vector<Event>& events_;
  std::set<std::string> arrays_;                     // arrays that the function passes to its elementwise kernels
  std::map<std::string, std::vector<int>> written_;  // arrays -> calls that launch a kernel which writes them
  std::vector<KernelChain> open_, done_;
  bool host_may_look_ = false;  // a wait was passed, after which the host may read results
};

}  // namespace

std::vector<int> KernelChain::events() const {
  std::vector<int> out;
  for (const Step& step : steps) out.push_back(step.event);
  return out;
}

std::vector<KernelChain> kernel_chains(const Program& program, int function, KernelLinks& links) {
  const auto& f = program.function(function);
  if (f.is_kernel || !program.effects().of(function).launches) return {};
  return Finder(program, function, links).find();
}

}  // namespace syncsniff::checks
