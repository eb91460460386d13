// Functions that somebody out of sight calls: what a library exports, callbacks, overriders of a framework's methods.
// How often is not shown, so that what they do is told of each call; set-up and tear-down are told apart by what they
// keep and what they give back.
#include <algorithm>

#include "analyzer/program/host_arguments.h"
#include "analyzer/program/program.h"
#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

constexpr const char* kStandardLibrary = "c:@N@std@";  // how the identities of its functions and classes begin

// Of a class's fields and of namespaces, and behind the caller's pointers: what is there after the call, too.
bool outlives_call(std::string_view node) {
  const size_t begin = node.find_first_not_of('*');
  if (begin == std::string::npos) return false;
  if (begin > 0 && node.compare(begin, 2, "p:") == 0) return true;
  const bool variable = node.compare(begin, 2, "v:") == 0 && node.find('@') == std::string::npos;
  return variable || node.compare(begin, 2, "f:") == 0;
}

bool is_parameter(const std::string& node) { return node.compare(0, 2, "p:") == 0; }

bool is_special_member(const std::string& name) {
  return name.ends_with("(constructor)") || name.find("::~") != std::string::npos;
}

bool is_of_driver(MemoryKind kind) {
  return kind == MemoryKind::kDevice || kind == MemoryKind::kPinned || kind == MemoryKind::kManaged;
}

bool is_unconditional(const Function& f, int region) {
  for (int r = region; r > 0; r = f.regions[r].parent) {
    if (f.regions[r].kind == Region::Kind::kBranch && !f.regions[r].bare) return false;
  }
  return true;
}

std::string bare_node(const std::string& node) {
  const size_t begin = node.find_first_not_of('*');
  return begin == std::string::npos ? "" : node.substr(begin);
}

void add_nodes(const Value& value, std::set<std::string>& out) {
  if (!value.node.empty()) out.insert(bare_node(value.node));
  for (const Value& operand : value.operands) add_nodes(operand, out);
}

void add_functions(const Value& value, std::set<std::string>& out) {
  if (value.kind == Value::Kind::kFunction) out.insert(value.node);
  for (const Value& operand : value.operands) add_functions(operand, out);
}

}  // namespace

// What a function does in every call of it, with what it calls. Asked once a program, where it has a candidate.
struct Program::Entries {
  explicit Entries(const Program& program) : program_(program), count_(program.code_.count()) {
    for (int f = 0; f < count_; ++f)
      if (has_own_loop(f)) loops_[f] = true;
    hand_to_callers(loops_);
    for (const Site& site : program.effects_.tensor_work()) tensors_[site.function] = true;
    hand_to_callers(tensors_);
    find_kept();
  }

  bool runs_each_call(int f) const {
    const Function& function = program_.code_.function(f);
    if (!program_.effects_.of(f).launches || function.is_kernel || function.is_main) return false;
    // A loop of its own that feeds the GPU, here or in what it calls, has its own heat; what stands around it comes
    // before and after the training. Not in an operator that an extension hands to Python, whose loop is part of a
    // step.
    if (loops_[f] && !(tensors_[f] && program_.taken_[f])) return false;
    if (!program_.effects_.of(f).waits && !makes_[f] && !tensors_[f]) return false;  // it enqueues and goes on
    if (is_special_member(function.name) || program_.wrappers_.looks_like_wrapper(f) || program_.builds_[f])
      return false;
    return !keeps_or_gives_back(f);
  }

  // It makes the device memory that it works on, and both its input and its output are the caller's host memory.
  bool is_whole_job(int f) {
    if (!makes_[f]) return false;
    if (!host_arguments_) host_arguments_.emplace(program_);
    return host_arguments_->are_uploaded(f) && host_arguments_->are_filled(f);
  }

 private:
  // What a function does in a call that is not an error's, its caller does.
  void hand_to_callers(std::vector<bool>& does) const {
    std::vector<int> work;
    for (int f = 0; f < count_; ++f)
      if (does[f]) work.push_back(f);
    while (!work.empty()) {
      const int f = work.back();
      work.pop_back();
      for (const Site& caller : program_.graph_.callers(f)) {
        if (does[caller.function]) continue;
        if (is_off_or_once(program_.code_.function(caller.function), program_.event(caller).region)) continue;
        does[caller.function] = true;
        work.push_back(caller.function);
      }
    }
  }

  bool has_own_loop(int f) const {
    if (program_.recursive_[f]) return true;
    if (!program_.effects_.of(f).launches) return false;
    const Function& function = program_.code_.function(f);
    const std::vector<bool> steps = same_each_time(f);
    for (int r = 0; r < static_cast<int>(function.regions.size()); ++r) {
      const bool loop = function.regions[r].kind == Region::Kind::kLoop && program_.region_launches_[f][r];
      if (!loop || program_.brief_[f][r]) continue;
      const bool trains = program_.steps_[f][r] || program_.holds_steps_[f][r];
      if ((steps[r] && !function.regions[r].over_dimension) || trains) return true;
      if (!is_over_elements(function.regions[r]) && !is_part_of_element(function, r)) return true;
    }
    return false;
  }

  // In a loop over elements: each element's tiles or chunks.
  static bool is_part_of_element(const Function& function, int region) {
    for (int r = function.regions[region].parent; r > 0; r = function.regions[r].parent) {
      if (function.regions[r].kind == Region::Kind::kLoop) return is_over_elements(function.regions[r]);
    }
    return false;
  }

  // A list, its size or a small number bound it. What anybody else counts may be steps.
  static bool is_over_elements(const Region& loop) {
    constexpr long kManyElements = 64;
    return !loop.collection.empty() || loop.over_dimension || (loop.trips > 0 && loop.trips <= kManyElements) ||
           loop.text.find("size()") != std::string::npos;
  }

  // Of the loops those in which some launch works on what the loop does not pick: the same step once more. In a loop
  // over layers or parameters each works on its own.
  std::vector<bool> same_each_time(int f) const {
    constexpr int kMostLoops = 64;  // around one launch
    const Function& function = program_.code_.function(f);
    std::vector<bool> out(function.regions.size(), false);
    for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
      const Event& event = function.events[e];
      if (!program_.effects_of({f, e}).launches) continue;
      const auto& varies = event.varies_with;
      int depth = 0;
      for (int r = event.region; r > 0 && depth < kMostLoops; r = function.regions[r].parent, ++depth)
        out[r] = out[r] || std::find(varies.begin(), varies.end(), r) == varies.end();
    }
    return out;
  }

  static constexpr size_t kMost = 64;  // nodes of a function: one decides
  struct Kept {
    std::set<std::string> made, ended;
    bool operator==(const Kept&) const = default;
  };

  void find_kept() {
    kept_.assign(count_, {});
    makes_.assign(count_, false);
    returned_.assign(count_, {});
    for (int f = 0; f < count_; ++f)
      for (const auto& [flow, reading] : program_.flows_.returned(f)) add_nodes(flow->value, returned_[f]);
    for (bool changed = true; changed;) {
      changed = false;
      for (int f = 0; f < count_; ++f) changed |= read_kept(f);
    }
  }

  // Objects that make in their constructor and give back in their destructor end by themselves.
  bool read_kept(int f) {
    const Function& function = program_.code_.function(f);
    if (function.is_kernel || is_special_member(function.name)) return false;
    const Kept before = kept_[f];
    const bool made_before = makes_[f];
    for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
      if (is_unconditional(function, function.events[e].region)) read_event(f, e);
    }
    return !(before == kept_[f]) || made_before != makes_[f];
  }

  void read_event(int f, int e) {
    const Event& event = program_.code_.function(f).events[e];
    const ApiFact* fact = program_.api(event);
    if (fact && event.kind == Event::Kind::kApi && !fact->pooled) return read_api(f, event, *fact);
    for (int callee : program_.callees({f, e})) {
      makes_[f] = makes_[f] || makes_[callee];
      read_callee(f, event, callee);
    }
  }

  void add_made(int f, const std::string& node) {
    const bool stays = outlives_call(node) || (!node.empty() && returned_[f].count(bare_node(node)) != 0);
    if (stays && kept_[f].made.size() < kMost) kept_[f].made.insert(bare_node(node));
  }
  // A pointer that the caller gave is given back, too, where its own value is.
  static void add_ended(Kept& kept, const std::string& node) {
    if ((outlives_call(node) || is_parameter(node)) && kept.ended.size() < kMost) kept.ended.insert(bare_node(node));
  }

  void read_api(int f, const Event& event, const ApiFact& fact) {
    if (is_of_driver(fact.allocates) || !fact.creates.empty()) {
      makes_[f] = true;
      add_made(f, event.into);
      if (fact.out_arg >= 0 && fact.out_arg < static_cast<int>(event.arg_nodes.size()))
        add_made(f, event.arg_nodes[fact.out_arg]);
      else
        for (const std::string& node : event.arg_nodes) add_made(f, node);
    }
    const int freed = fact.freed_arg != kNoArg ? fact.freed_arg : fact.destroys.empty() ? kNoArg : 0;
    if (freed >= 0 && freed < static_cast<int>(event.args.size())) add_ended(kept_[f], event.args[freed].node);
  }

  // What the callee leaves behind one of its parameters is the argument's here; the rest has the same name in both.
  void read_callee(int f, const Event& event, int callee) {
    const Kept of_callee = kept_[callee];  // a copy: a function may call itself
    const auto& params = program_.code_.function(callee).params;
    Kept& kept = kept_[f];
    if (makes_[callee]) add_made(f, event.into);
    for (const std::string& node : of_callee.made)
      if (outlives_call(node)) add_made(f, node);
    for (const std::string& node : of_callee.ended)
      if (outlives_call(node)) add_ended(kept, node);
    for (size_t i = 0; i < params.size() && i < event.arg_nodes.size(); ++i) {
      if (of_callee.made.count(params[i]) != 0) add_made(f, event.arg_nodes[i]);
      if (of_callee.ended.count(params[i]) == 0) continue;
      add_ended(kept, event.args[i].node);
      add_ended(kept, event.arg_nodes[i]);
    }
  }

  // Called again and again, it would leak, or give back what it no longer has: it is called once.
  bool keeps_or_gives_back(int f) const {
    const Kept& kept = kept_[f];
    return !std::includes(kept.ended.begin(), kept.ended.end(), kept.made.begin(), kept.made.end()) ||
           !std::includes(kept.made.begin(), kept.made.end(), kept.ended.begin(), kept.ended.end());
  }

  const Program& program_;
  const int count_;
  std::optional<HostArguments> host_arguments_;  // a walk over the whole program, where some entry makes memory
  std::vector<bool> loops_ = std::vector<bool>(count_);    // holds a loop of its own that feeds the GPU
  std::vector<bool> tensors_ = std::vector<bool>(count_);  // puts work on tensors
  std::vector<bool> makes_;
  std::vector<std::set<std::string>> returned_;  // the variables that a function's value is made of
  std::vector<Kept> kept_;
};

// A callback: kept somewhere, or handed to code that is not in sight.
void Program::find_taken() {
  taken_.assign(code_.count(), false);
  std::set<std::string> named;
  for (const auto& [node, flows] : flows_.all()) {
    for (const LinkedFlow& flow : flows) {
      const bool kept = outlives_call(node) || node[0] == '*';
      if (kept) add_functions(flow.flow->value, named);
    }
  }
  for (int f = 0; f < code_.count(); ++f) {
    for (int e = 0; e < static_cast<int>(code_.function(f).events.size()); ++e) {
      const Event& event = code_.function(f).events[e];
      const bool of_library = event.harmless || event.callee.rfind(kStandardLibrary, 0) == 0;
      if (event.kind != Event::Kind::kCall || of_library || !graph_.callees({f, e}).empty()) continue;
      for (const Value& argument : event.args) add_functions(argument, named);
    }
  }
  for (const std::string& usr : named) {
    if (const int f = code_.find(usr); f >= 0) taken_[f] = true;
  }
}

// In a program whose main() trains, what nobody calls is left over, but for callbacks; where main() feeds the GPU in no
// loop of its own, a framework does that and calls the program's overriders.
std::vector<int> Program::entries(const std::set<int>& threads) {
  const bool has_main =
      std::any_of(code_.functions().begin(), code_.functions().end(), [](const Function* f) { return f->is_main; });
  bool trains = false;
  for (int f = 0; f < code_.count(); ++f) trains |= heat_in_[f].hot && heat_in_[f].from_main;
  trains |= has_main && feeds_itself();
  std::optional<Entries> found;
  std::vector<int> out;
  for (int f = 0; f < code_.count(); ++f) {
    const Function& function = code_.function(f);
    if (!graph_.callers(f).empty() || !effects_.of(f).launches || threads.count(f) || heat_in_[f].dropped) continue;
    const bool exported = !function.is_static_or_local && function.owner.empty();
    const bool asked_for = has_main ? !trains && !function.overrides.empty() : exported;
    if (!asked_for && !taken_[f]) continue;
    if (!found) found.emplace(*this);
    if (!found->runs_each_call(f)) continue;
    out.push_back(f);
    if (found->is_whole_job(f)) whole_jobs_.insert(f);
  }
  return out;
}

}  // namespace syncsniff::program
