#include "analyzer/program/outside_callers.h"

#include <set>
#include <string>

namespace syncsniff::program {

namespace {

constexpr const char* kStandardLibrary = "c:@N@std@";  // prefix of the USRs of its functions and classes

// The USR of a C or extern "C" function contains no parameter types. Other languages can call such functions.
bool has_c_linkage(const Function& f) { return f.usr.find('#') == std::string::npos; }

// Constructors, destructors and operators may also be called by templates of the library, which the facts do not
// contain.
bool is_special(const std::string& name) {
  return name.ends_with("(constructor)") || name.find("::~") != std::string::npos ||
         name.find("operator") != std::string::npos;
}

void add_functions(const Value& value, std::set<std::string>& out) {
  if (value.kind == Value::Kind::kFunction) out.insert(value.node);
  for (const Value& operand : value.operands) add_functions(operand, out);
}

}  // namespace

bool outlives_call(std::string_view node) {
  const size_t begin = node.find_first_not_of('*');
  if (begin == std::string::npos) return false;
  if (begin > 0 && node.compare(begin, 2, "p:") == 0) return true;
  const bool variable = node.compare(begin, 2, "v:") == 0 && node.find('@') == std::string::npos;
  return variable || node.compare(begin, 2, "f:") == 0;
}

OutsideCallers::OutsideCallers(const Code& code, const Flows& flows, const CallGraph& graph)
    : code_(code), graph_(graph), taken_(code.count()) {
  std::set<std::string> named;
  for (const auto& [node, into] : flows.all()) {
    for (const LinkedFlow& flow : into) {
      const bool kept = outlives_call(node) || node[0] == '*';
      if (kept) add_functions(flow.flow->value, named);
    }
  }
  for (int f = 0; f < code.count(); ++f) {
    for (int e = 0; e < static_cast<int>(code.function(f).events.size()); ++e) {
      if (!is_outside_call({f, e})) continue;
      for (const Value& argument : facts::values(code.function(f).events[e].args)) add_functions(argument, named);
    }
  }
  for (const std::string& usr : named) {
    if (const int f = code.find(usr); f >= 0) taken_[f] = true;
  }
}

bool OutsideCallers::is_outside_call(Site site) const {
  const Event& event = code_.event(site);
  const bool of_library = event.callee.harmless || event.callee.id.rfind(kStandardLibrary, 0) == 0;
  return event.kind == Event::Kind::kCall && !of_library && graph_.callees(site).empty();
}

bool OutsideCallers::nobody_calls(int function) const {
  const Function& f = code_.function(function);
  return graph_.callers(function).empty() && !taken_[function] && !f.is_main && f.owner.empty() &&
         f.overrides.empty() && !has_c_linkage(f) && !is_special(f.name);
}

}  // namespace syncsniff::program
