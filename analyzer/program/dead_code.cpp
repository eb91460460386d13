// Functions that nothing leads to, in units that no main() reaches although one of them feeds the GPU: left-overs,
// which may never run.
#include "analyzer/program/program.h"

namespace syncsniff::program {

namespace {

// Of a C function, or one declared extern "C", the identity holds no types of parameters: other languages call those.
bool has_c_linkage(const Function& f) { return f.usr.find('#') == std::string::npos; }

// Constructors, destructors and operators are also called by code that the facts leave out: the library's templates.
bool is_special(const std::string& name) {
  return name.ends_with("(constructor)") || name.find("::~") != std::string::npos ||
         name.find("operator") != std::string::npos;
}

}  // namespace

// A lambda, a callback, an overrider of a framework's method and what other languages call have callers out of sight.
bool Program::nobody_calls(int function) const {
  const Function& f = code_.function(function);
  return graph_.callers(function).empty() && !taken_[function] && !f.is_main && f.owner.empty() &&
         f.overrides.empty() && !has_c_linkage(f) && !is_special(f.name);
}

void Program::lower_dead_code(Heat& heat, int function, Severity most) const {
  heat.cap(most, "no program with a main() calls this function", code_.function(function).place);
}

}  // namespace syncsniff::program
