// What each function may do to the GPU and the host, directly or through calls: a fixpoint over the call graph.
#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "analyzer/program/program.h"

namespace syncsniff::program {

namespace {

// Fetching a value puts no work on the GPU that a wait could starve it of.
// What only brings values to the host gives the GPU nothing to do.
bool is_gpu_op(const ApiFact* api) {
  if (!api) return true;
  return api->tensor != "print" && api->tensor != "to_host" && api->tensor != "shape_only" &&
         api->tensor != "accessor" && api->tensor != "factory_cpu" && api->tensor != "pin" &&
         api->tensor != "sync_scalar";
}

bool may_wait(const ApiFact& api) { return api.blocks != Blocks::kNever && api.blocks != Blocks::kPoll; }

bool gated_off(const Region& region) {
  return region.gate == Gate::kNever || region.gate == Gate::kOnCpu || region.gate == Gate::kError ||
         region.gate == Gate::kLazy;
}

// Library functions after which another thread or process may have come first, or that run code which is not in sight.
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

}  // namespace

// A function with this many regions may nest them thousands deep (jumps back make loops), and every check asks.
constexpr size_t kManyRegions = 64;

// Regions are numbered as the walk meets them, so those inside one follow it without a gap: the number of the last.
void Program::find_region_ends() {
  for (const Function* f : functions_) {
    if (f->regions.size() < kManyRegions) continue;
    std::vector<int>& last = region_ends_[f];
    for (int r = 0; r < static_cast<int>(f->regions.size()); ++r) last.push_back(r);
    for (int r = static_cast<int>(last.size()) - 1; r > 0; --r) {
      const int parent = f->regions[r].parent;
      if (parent >= 0) last[parent] = std::max(last[parent], last[r]);
    }
  }
}

bool Program::inside(const Function& f, int region, int ancestor) const {
  if (region < ancestor) return false;
  if (const auto ends = f.regions.size() < kManyRegions ? region_ends_.end() : region_ends_.find(&f);
      ends != region_ends_.end())
    return ancestor >= 0 && region <= ends->second[ancestor];
  for (int r = region; r >= 0; r = f.regions[r].parent) {
    if (r == ancestor) return true;
  }
  return false;
}

Effects Program::effects_of(Site site) const {
  const Event& e = event(site);
  Effects out;
  if (e.kind == Event::Kind::kLaunch) out.launches = out.enqueues = true;
  const ApiFact* fact = api(e);
  if (e.kind == Event::Kind::kTensor && tensor_work_.count(site)) out.launches = out.enqueues = true;
  if (fact && e.kind == Event::Kind::kApi) {
    out.launches |= fact->launches_kernel;
    out.enqueues |= fact->enqueues || fact->launches_kernel;
    out.waits |= may_wait(*fact);
  }
  if (fact && e.kind == Event::Kind::kTensor) out.waits |= uses_cuda_tensors_ && may_wait(*fact);
  out.unknown = unknown_.count(site) != 0;
  for (int callee : callees(site)) out |= effects_[callee];
  if (fills_.count(site)) out.launches = false;  // a loop of such calls makes things; it computes nothing
  return out;
}

// Each event is told to the regions around it, outward, until one has heard of the same effects before: so had those
// around that one. A function of 30,000 calls, or of 5,000 nested regions, takes one pass.
void Program::fill_region_effects(int function) {
  const Function& f = *functions_[function];
  std::vector<Effects>& regions = region_effects_[function];
  regions.assign(f.regions.size(), {});
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Effects effects = effects_of({function, e});
    for (int r = f.events[e].region; r >= 0; r = f.regions[r].parent) {
      const Effects before = regions[r];
      regions[r] |= effects;
      if (regions[r] == before || (r != 0 && gated_off(f.regions[r]))) break;
    }
  }
}

// Tensor operations that may run on the GPU. Those whose every operand is shown to live on the CPU feed nothing.
void Program::find_tensor_work() {
  if (!uses_cuda_tensors_) return;
  for (int f = 0; f < static_cast<int>(functions_.size()); ++f) {
    for (int e = 0; e < static_cast<int>(functions_[f]->events.size()); ++e) {
      const Event& event = functions_[f]->events[e];
      if (event.kind != Event::Kind::kTensor || !is_gpu_op(api(event))) continue;
      const Devices where = devices(event.result, reading({f, e}));
      if (where.cuda || where.unknown || !where.cpu) tensor_work_.insert({f, e});
    }
  }
}

void Program::find_unknown() {
  for (int f = 0; f < static_cast<int>(functions_.size()); ++f) {
    for (int e = 0; e < static_cast<int>(functions_[f]->events.size()); ++e) {
      const Event& event = functions_[f]->events[e];
      const bool defined = api(event) || !callees({f, e}).empty();
      const bool calls_out = event.kind == Event::Kind::kCall && !defined &&
                             (!event.harmless || event.indirect || lets_others_go_first(event.callee_name));
      if (calls_out || (event.kind == Event::Kind::kHostRead && event.is_volatile)) unknown_.insert({f, e});
    }
  }
}

void Program::compute_effects() {
  find_tensor_work();
  find_unknown();
  find_fills();
  effects_.assign(functions_.size(), {});
  region_effects_.resize(functions_.size());
  for (size_t f = 0; f < functions_.size(); ++f) region_effects_[f].assign(functions_[f]->regions.size(), {});
  for (bool changed = true; changed;) {
    changed = false;
    for (int f = 0; f < static_cast<int>(functions_.size()); ++f) {
      if (functions_[f]->is_kernel) continue;
      fill_region_effects(f);
      if (region_effects_[f][0] == effects_[f]) continue;
      effects_[f] = region_effects_[f][0];
      changed = true;
    }
  }
}

// Exactly one blocking call, no launches but its own, no loop around it, little else: `pull(x)`, `Stream::sync()`,
// `value(loss)`, `dot(n, x, y, &result)`.
// Not a check of errors that waits where a switch for debugging is on: that is mended there, not where it is called.
bool Program::looks_like_wrapper(int function) const {
  const Function& f = *functions_[function];
  if (f.is_kernel || f.is_main || f.events.size() > 24) return false;
  int blocking = 0;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    const ApiFact* fact = api(event);
    bool blocks = fact && may_wait(*fact) && (event.kind == Event::Kind::kApi || fact->tensor.rfind("sync", 0) == 0);
    for (int callee : callees({function, e})) {
      if (wrapper_[callee])
        blocks = true;
      else if (effects_[callee].enqueues || effects_[callee].waits)
        return false;
    }
    if (event.kind == Event::Kind::kLaunch || (fact && fact->launches_kernel && !blocks)) return false;
    if (!blocks) {
      if (event.kind == Event::Kind::kTensor && fact && (fact->tensor == "op" || fact->tensor == "layer")) return false;
      continue;
    }
    for (int r = event.region; r >= 0; r = f.regions[r].parent) {
      if (f.regions[r].kind == Region::Kind::kLoop || f.regions[r].gate == facts::Gate::kDebug) return false;
    }
    if (++blocking > 1) return false;
  }
  return blocking == 1;
}

void Program::compute_wrappers() {
  wrapper_.assign(functions_.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (int f = 0; f < static_cast<int>(functions_.size()); ++f) {
      if (wrapper_[f] || callers_[f].empty() || !looks_like_wrapper(f)) continue;
      wrapper_[f] = changed = true;
    }
  }
}

}  // namespace syncsniff::program
