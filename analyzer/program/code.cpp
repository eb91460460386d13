#include "analyzer/program/code.h"

#include <algorithm>
#include <optional>
#include <string>

#include "analyzer/facts/parameter_node.h"
#include "analyzer/facts/sums.h"
#include "analyzer/facts/words.h"

namespace syncsniff::program {

// A function with so many regions may nest them thousands deep (backward jumps make loops), and every check calls
// inside().
constexpr size_t kManyRegions = 64;

const facts::KernelBody* kernel_of(const Code& code, const Event& event) {
  const int kernel = event.kind == Event::Kind::kLaunch && !event.callee.indirect ? code.find(event.callee.id) : -1;
  return kernel < 0 ? nullptr : &code.function(kernel).kernel;
}

bool works_on_gpu(const Event& event, const ApiFact* fact) {
  if (event.kind == Event::Kind::kLaunch || event.kind == Event::Kind::kTensor) return true;
  const auto of_gpu = [](MemoryKind kind) { return kind != MemoryKind::kUnknown && kind != MemoryKind::kPageable; };
  return event.kind == Event::Kind::kApi && fact &&
         (fact->blocks != Blocks::kNever || fact->enqueues || fact->copy || of_gpu(fact->allocates) ||
          of_gpu(fact->frees));
}

int parameter_handed_on(const Event& event, size_t argument) {
  const Value& value = event.args[argument].value;
  if (const auto parameter = value.kind == Value::Kind::kNode ? facts::parameter_node(value.node) : std::nullopt)
    return static_cast<int>(parameter->index);
  return argument < event.arg_sums.size() ? facts::parameter_in(event.arg_sums[argument]) : -1;
}

bool is_constructor(const Function& function) { return function.name.ends_with("(constructor)"); }

bool adds_element(const Event& event) {
  const std::string method = facts::last_name(event.callee.name);
  return method == "push_back" || method == "emplace_back" || method == "insert" || method == "emplace";
}

bool takes_element(const Event& event) {
  const std::string method = facts::last_name(event.callee.name);
  return method == "clear" || method == "pop_back" || method == "erase" || method == "pop_front";
}

bool is_special_member(const Function& function) {
  return is_constructor(function) || function.name.find("::~") != std::string::npos;
}

Code::Code(const std::vector<const facts::UnitFacts*>& units, const ApiTable& apis) : apis_(apis) {
  for (const auto* unit : units) {
    for (const Function& f : unit->functions) {
      // A function in a header is in every unit that includes the header; only the first copy is used.
      if (!by_usr_.emplace(f.usr, count()).second) continue;
      functions_.push_back(&f);
    }
  }
  for (int f = 0; f < count(); ++f) {
    for (int e = 0; e < static_cast<int>(functions_[f]->events.size()); ++e) {
      if (const ApiFact* fact = api(event({f, e}))) api_calls_.push_back({{f, e}, fact});
    }
  }
  find_region_ends();
}

int Code::find(facts::Text usr) const {
  auto found = by_usr_.find(usr);
  return found == by_usr_.end() ? -1 : found->second;
}

const ApiFact* Code::api(const Event& e) const {
  if (e.kind != Event::Kind::kApi && e.kind != Event::Kind::kTensor) return nullptr;
  const auto [known, is_new] = api_facts_.try_emplace(e.callee.id);
  if (is_new) known->second = apis_.find(e.callee.id);
  return known->second;
}

std::string Code::name_without_lines(int function) const {
  constexpr int kDeepest = 8;
  std::string name;
  for (int depth = 0; depth < kDeepest && function >= 0; ++depth) {
    const Function& f = this->function(function);
    if (f.owner.empty()) return name + f.name.str();
    name += "lambda in ";
    function = find(f.owner);
  }
  return name;
}

// Computes the number of the last region inside each region. Regions are numbered in source order, so the regions
// inside one follow it without a gap.
void Code::find_region_ends() {
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

bool Code::inside(const Function& f, int region, int ancestor) const {
  if (region < ancestor) return false;
  if (const auto ends = f.regions.size() < kManyRegions ? region_ends_.end() : region_ends_.find(&f);
      ends != region_ends_.end())
    return ancestor >= 0 && region <= ends->second[ancestor];
  for (int r = region; r >= 0; r = f.regions[r].parent) {
    if (r == ancestor) return true;
  }
  return false;
}

}  // namespace syncsniff::program
