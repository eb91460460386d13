#include "analyzer/checks/pointer_modes.h"

#include <algorithm>

#include "analyzer/program/regions.h"

namespace syncsniff::checks {

using facts::Sum;

namespace {

constexpr int kDeepestModeCalls = 5;
constexpr size_t kMostFunctions = 64;
// Values of the mode argument, the second one of the call; the handle is the first.
constexpr const char* kDeviceMode = "CUBLAS_POINTER_MODE_DEVICE";
constexpr const char* kHostMode = "CUBLAS_POINTER_MODE_HOST";

// The last field or function in the path to the handle, whatever object it belongs to: `blas` of `net.blas` and of
// `{this}.blas`. The suffix `#1`, the number of earlier writes to it, is left out.
std::string last_name(const std::string& handle) {
  const size_t dot = handle.rfind('.');
  const std::string name = dot == std::string::npos ? handle : handle.substr(dot + 1);
  return name.substr(0, dot == std::string::npos ? name.size() : name.find('#'));
}

}  // namespace

PointerModes::PointerModes(const Program& program) : program_(program) {
  settings_ = calls(program, [](const Event&, const ApiFact& api) { return api.sets == "pointer_mode"; });
  sets_.assign(program.functions().size(), false);
  std::vector<int> work;
  const auto mark = [&](int function) {
    if (sets_[function]) return;
    sets_[function] = true;
    work.push_back(function);
  };
  for (const Site& site : settings_) mark(site.function);
  while (!work.empty()) {
    const int f = work.back();
    work.pop_back();
    for (const Site& caller : program.callers(f)) mark(caller.function);
  }
}

PointerModes::Modes PointerModes::then(Modes first, Modes next) {
  return (next & kEntry) == 0 ? next : static_cast<Modes>((next & ~kEntry) | first);
}

// Combines a function's settings in program order. A setting in a branch or loop may not have run once control is past
// it, so the mode before is kept as a possibility; of two settings in one block only the second remains.
class PointerModes::Flow {
 public:
  Flow(const Program& program, int function) : program_(program), f_(program.function(function)) {}
  Modes modes() const { return modes_; }
  void put_back(Modes modes) { modes_ = modes; }
  // `always`: the setting is on every path to the place in question.
  void set(Modes set, int block, bool always) {
    const bool goes_on = block == block_ || program_.inside(f_, block_, block);
    if (!goes_on) outer_ = modes_;
    modes_ = always ? then(modes_, set) : join(outer_, then(modes_, set));
    block_ = always ? 0 : block;
  }

 private:
  const Program& program_;
  const facts::Function& f_;
  int block_ = 0;  // the block of the last setting that was not `always`
  Modes modes_ = kEntry, outer_ = kEntry;
};

std::string PointerModes::handle_of(const Event& event) const {
  return event.arg_sums.empty() ? std::string() : text_of(event.arg_sums.front());
}

// The construction of the local variable whose destructor makes the call at `end`; event -1: none.
Site PointerModes::construction_of(Site end) const {
  const Event& ends = program_.event(end);
  const auto& events = program_.function(end.function).events;
  for (int e = 0; e < end.event && !ends.into.empty(); ++e) {
    const facts::Place& made = events[e].place;
    const bool declares = made.file == ends.place.file && made.offset >= ends.place.offset &&
                          made.offset + made.length <= ends.place.offset + ends.place.length;
    if (events[e].kind == Event::Kind::kCall && events[e].callee.id != ends.callee.id && declares)
      return {end.function, e};
  }
  return {end.function, -1};
}

bool PointerModes::is_argument(Site call, const std::string& handle) const {
  const auto& sums = program_.event(call).arg_sums;
  return std::any_of(sums.begin(), sums.end(), [&](const Sum& sum) { return text_of(sum) == handle; });
}

// The names that the caller's handle has in a function called at `site`: as a parameter, in a setting there, and as the
// field of a guard object that was constructed with the handle.
std::set<std::string> PointerModes::names_in(int callee, Site site, const std::string& handle) const {
  const facts::CallArguments call = arguments_of(program_.event(site));
  std::set<std::string> names{handle};
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (text_of(call.arguments[i]) == handle) names.insert(facts::parameter_symbol(static_cast<int>(i)));
  }
  const bool makes = program_.event(site).launched_on.empty() && is_argument(site, handle);
  const Site made = construction_of(site);
  const bool ends = made.event >= 0 && is_argument(made, handle);
  for (const Site& setting : settings_) {
    const Event& set = program_.event(setting);
    if (setting.function != callee || set.arg_sums.empty()) continue;
    const std::string name = handle_of(set);
    const bool own_field = name.rfind(std::string(facts::kThisSymbol) + ".", 0) == 0;
    if ((own_field && (makes || ends)) || text_of(facts::with_arguments(set.arg_sums.front(), call)) == handle)
      names.insert(name);
  }
  return names;
}

// What the event sets the handle's mode to; kEntry: it leaves the mode as it is.
PointerModes::Modes PointerModes::set_by(Site site, const std::string& handle, int depth) const {
  const Event& event = program_.event(site);
  const ApiFact* const api = program_.api(event);
  if (api && api->sets == "pointer_mode") {
    if (handle_of(event) != handle || event.args.size() < 2) return kEntry;
    if (event.args[1].text.find(kDeviceMode) != std::string::npos || event.args[1].constant == 1) return kDevice;
    if (event.args[1].text.find(kHostMode) != std::string::npos || event.args[1].constant == 0) return kHost;
    return kRestored;  // a variable: the mode that cublasGetPointerMode saved
  }
  Modes mode = kEntry;
  for (int callee : program_.callees(site)) {
    if (!sets_[callee] || depth >= kDeepestModeCalls) continue;
    for (const std::string& name : names_in(callee, site, handle)) {
      if (const Modes left = left_by(callee, name, depth + 1); left != kEntry)
        mode = mode == kEntry ? left : join(mode, left);
    }
  }
  return mode;
}

// What the function's events [from, to) set the handle's mode to, in order, without those that leave it as it is.
std::vector<PointerModes::Setting> PointerModes::settings_in(int function, int from, int to, const std::string& handle,
                                                             int depth) const {
  const auto& f = program_.function(function);
  std::vector<Setting> settings;
  for (int e = from; e < to; ++e) {
    if (program::is_off(f, f.events[e].region)) continue;
    const Modes set = set_by({function, e}, handle, depth);
    if (set != kEntry) settings.push_back({set, f.events[e].region, program_.block_of({function, e})});
  }
  return settings;
}

// The handle's mode when the function returns. kRestored: the one that a caller's guard or an earlier call saved.
PointerModes::Modes PointerModes::left_by(int function, const std::string& handle, int depth) const {
  const int end = static_cast<int>(program_.function(function).events.size());
  Flow flow(program_, function);
  bool set_here = false;
  for (const Setting& setting : settings_in(function, 0, end, handle, depth)) {
    if (setting.modes == kRestored)
      flow.put_back(set_here ? kEntry : kRestored);  // saved in this function before it was set, and restored
    else
      flow.set(setting.modes, setting.block, setting.block == 0);
    set_here = true;
  }
  return flow.modes();
}

// What the settings after the site, in the loop around it, leave for the next iteration. kEntry if a setting in
// `ahead`, before the site, sets the mode anew in each iteration.
PointerModes::Modes PointerModes::left_by_iteration(Site site, const std::string& handle,
                                                    const std::vector<Setting>& ahead) const {
  const auto& f = program_.function(site.function);
  const int region = program_.event(site).region, loop = program::innermost_loop(f, region);
  const auto sets_anew = [&](const Setting& setting) {
    return program_.inside(f, setting.block, loop) && program_.inside(f, region, setting.block) &&
           (setting.modes & (kEntry | kRestored)) == 0;
  };
  if (loop < 0 || std::ranges::any_of(ahead, sets_anew)) return kEntry;
  Flow flow(program_, site.function);
  for (const Setting& setting :
       settings_in(site.function, site.event + 1, static_cast<int>(f.events.size()), handle, 0)) {
    if (!program_.inside(f, setting.region, loop)) continue;
    if (setting.modes == kRestored)
      flow.put_back(kEntry);
    else
      flow.set(setting.modes, setting.block, setting.block == loop);
  }
  return flow.modes();
}

// The mode at the site: that of the last setting on every path to it, joined with those of later settings on some of
// the paths.
PointerModes::Modes PointerModes::before(Site site, const std::string& handle) const {
  const auto& f = program_.function(site.function);
  const int region = program_.event(site).region;
  const std::vector<Setting> ahead = settings_in(site.function, 0, site.event, handle, 0);
  Flow flow(program_, site.function);
  Modes saved = kEntry;
  for (const Setting& setting : ahead) {
    if (setting.modes == kRestored) {
      flow.put_back(saved);
      continue;
    }
    saved = flow.modes();  // code that restores the mode later saves the present one before it sets another
    flow.set(setting.modes, setting.block, program_.inside(f, region, setting.block));
  }
  return join(flow.modes(), then(flow.modes(), left_by_iteration(site, handle, ahead)));
}

// The mode that the callers have set; if they set none, the one that another function set and did not restore.
PointerModes::Modes PointerModes::at_entry(int function, const Sum& handle, const program::Context* context,
                                           std::set<int>& seen) const {
  if (seen.size() >= kMostFunctions || !seen.insert(function).second) return kEntry;
  std::vector<Site> callers = program_.callers(function);
  if (context && std::find(callers.begin(), callers.end(), context->call) != callers.end()) callers = {context->call};
  bool any = false;
  Modes mode = kEntry;
  for (const Site& caller : callers) {
    const Sum outside = facts::with_arguments(handle, arguments_of(program_.event(caller)));
    Modes here = before(caller, text_of(outside));
    if ((here & kEntry) != 0)
      here = then(at_entry(caller.function, outside, context ? context->outer : nullptr, seen), here);
    if (here == kEntry) continue;
    mode = any ? join(mode, here) : here;
    any = true;
  }
  return any ? mode : set_elsewhere(text_of(handle));
}

// Whether the setting is made by a guard class, whose constructor sets the mode and whose destructor restores the saved
// one.
bool PointerModes::is_put_back_by_class(Site setting) const {
  const auto class_of = [&](Site site) {
    const std::string& name = program_.function(site.function).name.str();
    return name.substr(0, name.rfind("::"));
  };
  const std::string handle = handle_of(program_.event(setting));
  return handle.rfind(std::string(facts::kThisSymbol) + ".", 0) == 0 &&
         std::any_of(settings_.begin(), settings_.end(), [&](Site other) {
           return other.function != setting.function && class_of(other) == class_of(setting) &&
                  set_by(other, handle, 0) == kRestored;
         });
}

// The modes that other functions, such as initialisers, leave in a handle of this name.
PointerModes::Modes PointerModes::set_elsewhere(const std::string& handle) const {
  bool device = false, host = false;
  for (const Site& setting : settings_) {
    const std::string name = handle_of(program_.event(setting));
    // The handle is a parameter: it may be any handle.
    if (name.rfind("{this}", 0) != 0 && name[0] == '{') {
      if (left_by(setting.function, name, 0) != kDevice) continue;
      // A function that only sets the mode and has no caller in the checked code may be called from elsewhere with any
      // handle.
      device |= program_.callers(setting.function).empty() && !program_.effects().of(setting.function).launches;
      for (const Site& caller : program_.callers(setting.function)) {
        const Sum outside =
            facts::with_arguments(program_.event(setting).arg_sums.front(), arguments_of(program_.event(caller)));
        device |= last_name(text_of(outside)) == last_name(handle);
      }
      continue;
    }
    if (last_name(name) != last_name(handle) || is_put_back_by_class(setting)) continue;
    const Modes left = left_by(setting.function, name, 0);
    device |= (left & kDevice) != 0;
    host |= left == kHost;
  }
  if (!device) return host ? kHost : kEntry;
  return host ? join(kHost, kDevice) : kDevice;
}

bool PointerModes::may_be_device(const Located& where) const {
  if (settings_.empty()) return false;
  const Event& event = program_.event(where.api);
  if (event.arg_sums.empty()) return true;  // the handle is unknown, in a program that sets modes
  Modes mode = before(where.api, handle_of(event));
  if ((mode & kEntry) != 0) {
    std::set<int> seen;
    mode = then(at_entry(where.api.function, event.arg_sums.front(), where.context(), seen), mode);
  }
  return (mode & kDevice) != 0;
}

}  // namespace syncsniff::checks
