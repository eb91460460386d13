// Computes effects by a fixpoint iteration over the call graph.
#include "analyzer/program/effects.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "analyzer/program/device_memory.h"

namespace syncsniff::program {

namespace {

// Whether the tensor operation gives the GPU work. Operations that only bring values to the host do not.
bool is_gpu_op(const ApiFact* api) {
  if (!api) return true;
  return api->tensor != "print" && api->tensor != "to_host" && api->tensor != "shape_only" &&
         api->tensor != "accessor" && api->tensor != "factory_cpu" && api->tensor != "pin" &&
         api->tensor != "sync_scalar";
}

bool gated_off(const Region& region) {
  return region.gate == Gate::kNever || region.gate == Gate::kOnCpu || region.gate == Gate::kError ||
         region.gate == Gate::kLazy;
}

// Library functions that may let another thread or process run first, or that run code of unknown source.
bool lets_others_go_first(const std::string& name) {
  constexpr std::string_view kCpp[] = {
      "mutex",   "::lock", "_lock",  "semaphore", "latch", "barrier", "condition_variable", "future",
      "promise", "thread", "atomic", "call_once", "async", "invoke",  "packaged_task"};
  constexpr std::string_view kCFamilies[] = {"pthread_", "sem_", "mtx_", "cnd_", "thrd_", "sched_", "sig", "epoll_",
                                             "mq_",      "shm_", "msg",  "recv", "send",  "exec",   "wait"};
  static const std::set<std::string_view> kC = {
      "scanf",     "fscanf",          "getline", "fgets",   "getc",   "fgetc",  "getchar", "usleep", "sleep",
      "nanosleep", "clock_nanosleep", "raise",   "kill",    "pause",  "select", "pselect", "poll",   "ppoll",
      "read",      "readv",           "pread",   "write",   "writev", "pwrite", "fread",   "fork",   "vfork",
      "system",    "popen",           "pclose",  "syscall", "flock",  "lockf",  "ioctl",   "accept", "connect"};
  if (name.rfind("std::", 0) != 0) {
    return kC.count(name) || std::any_of(std::begin(kCFamilies), std::end(kCFamilies),
                                         [&](std::string_view family) { return name.rfind(family, 0) == 0; });
  }
  const bool resets = name.find("_ptr") != std::string::npos && name.ends_with("::reset");
  return resets || std::any_of(std::begin(kCpp), std::end(kCpp),
                               [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

// Whether the USR is of a constructor in `std`, and no class of the program is among its class's template arguments,
// whose code the constructor might run: the std::string that a checking function gets. Constructors are recorded as
// code of the program, since what they are handed matters elsewhere.
bool is_standard_constructor(const Event& event) {
  constexpr std::string_view kStandard = "N@std@", kInStandard = "c:@N@std@", kArgument = "$@";
  const std::string& id = event.callee.id;
  if (event.callee.harmless || !id.starts_with(kInStandard)) return false;
  for (size_t at = id.find(kArgument); at != std::string::npos; at = id.find(kArgument, at + 1))
    if (id.compare(at + kArgument.size(), kStandard.size(), kStandard) != 0) return false;
  return true;
}

}  // namespace

bool may_wait(const ApiFact& api) { return api.blocks != Blocks::kNever && api.blocks != Blocks::kPoll; }

EffectTable::EffectTable(const Code& code, const Flows& flows, const CallGraph& graph, const TensorDevices& devices,
                         bool uses_cuda_tensors)
    : code_(code),
      graph_(graph),
      devices_(devices),
      uses_cuda_tensors_(uses_cuda_tensors),
      fills_(find_fills(code, flows, graph)) {
  update();
}

void EffectTable::update() {
  find_tensor_work();
  find_unknown();
  effects_.assign(code_.count(), {});
  region_effects_.resize(code_.count());
  for (int f = 0; f < code_.count(); ++f) region_effects_[f].assign(code_.function(f).regions.size(), {});
  graph_.settle([this](int f) {
    if (code_.function(f).is_kernel) return false;
    fill_regions(f);
    return region_effects_[f][0] != std::exchange(effects_[f], region_effects_[f][0]);
  });
}

Effects EffectTable::of(Site site) const {
  const Event& e = code_.event(site);
  Effects out;
  if (e.kind == Event::Kind::kLaunch) out.launches = out.enqueues = true;
  const ApiFact* fact = code_.api(e);
  if (e.kind == Event::Kind::kTensor && tensor_work_.count(site)) out.launches = out.enqueues = true;
  if (fact && e.kind == Event::Kind::kApi) {
    out.launches |= fact->launches_kernel;
    out.enqueues |= fact->enqueues || fact->launches_kernel;
    out.waits |= may_wait(*fact);
  }
  if (fact && e.kind == Event::Kind::kTensor) out.waits |= uses_cuda_tensors_ && may_wait(*fact);
  out.unknown = unknown_.count(site) != 0;
  for (int callee : graph_.callees(site)) out |= effects_[callee];
  if (fills_.count(site)) out.launches = false;  // such a call creates data and does not compute
  return out;
}

// The effects of each event are added to the regions around it, from the inside outward, until a region already has
// them: the regions around that one then have them, too. So a function of 30,000 calls, or of 5,000 nested regions,
// takes one pass.
void EffectTable::fill_regions(int function) {
  const Function& f = code_.function(function);
  std::vector<Effects>& regions = region_effects_[function];
  regions.assign(f.regions.size(), {});
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Effects effects = of({function, e});
    for (int r = f.events[e].region; r >= 0; r = f.regions[r].parent) {
      const Effects before = regions[r];
      regions[r] |= effects;
      if (regions[r] == before || (r != 0 && gated_off(f.regions[r]))) break;
    }
  }
}

// Finds tensor operations that may run on the GPU. Operations whose operands are all proved to be on the CPU launch
// nothing.
void EffectTable::find_tensor_work() {
  if (!uses_cuda_tensors_) return;
  for (int f = 0; f < code_.count(); ++f) {
    for (int e = 0; e < static_cast<int>(code_.function(f).events.size()); ++e) {
      const Event& event = code_.function(f).events[e];
      if (event.kind != Event::Kind::kTensor || !is_gpu_op(code_.api(event))) continue;
      const Devices where = devices_.of(event.result, code_.reading({f, e}));
      if (where.cuda || where.unknown || !where.cpu) tensor_work_.insert({f, e});
    }
  }
}

void EffectTable::find_unknown() {
  for (int f = 0; f < code_.count(); ++f) {
    for (int e = 0; e < static_cast<int>(code_.function(f).events.size()); ++e) {
      const Event& event = code_.function(f).events[e];
      const bool defined = code_.api(event) || !graph_.callees({f, e}).empty();
      const bool constructs = is_standard_constructor(event);
      const std::string name = (constructs ? "std::" : "") + event.callee.name.str();
      const bool calls_out =
          event.kind == Event::Kind::kCall && !defined &&
          ((!event.callee.harmless && !constructs) || event.callee.indirect || lets_others_go_first(name));
      if (calls_out || (event.kind == Event::Kind::kHostRead && event.is_volatile)) unknown_.insert({f, e});
    }
  }
}

bool EffectTable::launches_between(int function, int first, int last) const {
  for (int e = first + 1; e < last; ++e) {
    if (of({function, e}).launches) return true;
  }
  return false;
}

}  // namespace syncsniff::program
