#include "analyzer/facts/outline.h"

#include <algorithm>
#include <unordered_set>

namespace syncsniff::facts {

namespace {

class Names {
 public:
  void add(Text name) { hashes_.insert(name.hash()); }
  void add_functions(const Value& value) {
    if (value.kind == Value::Kind::kFunction) add(value.node);
    for (const Value& operand : value.operands) add_functions(operand);
  }
  std::vector<uint64_t> sorted() const {
    std::vector<uint64_t> out(hashes_.begin(), hashes_.end());
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  std::unordered_set<uint64_t> hashes_;
};

}  // namespace

UnitFacts without_code(const UnitFacts& unit) {
  UnitFacts rest;
  rest.file = unit.file;
  rest.sources = unit.sources;
  rest.errors = unit.errors;
  rest.error_count = unit.error_count;
  rest.fatal = unit.fatal;
  rest.no_code = unit.no_code;
  rest.mentions_cuda_device = unit.mentions_cuda_device;
  rest.nonblocking_streams = unit.nonblocking_streams;
  rest.per_thread_default_stream = unit.per_thread_default_stream;
  return rest;
}

UnitOutline outline_of(const UnitFacts& unit) {
  UnitOutline out{without_code(unit), false, {}, {}, {}, {}};
  Names defines, own, mentions, overrides;
  for (const Function& f : unit.functions) {
    out.has_main |= f.is_main;
    defines.add(f.usr);
    if (f.place.file == unit.file && !f.is_static_or_local) own.add(f.usr);
    for (const Text base : f.overrides) overrides.add(base);
    for (const Event& e : f.events) {
      if (!e.callee.empty()) mentions.add(e.callee);
      mentions.add_functions(e.object);
      for (const Value& argument : e.args) mentions.add_functions(argument);
    }
  }
  for (const Flow& flow : unit.flows) mentions.add_functions(flow.value);
  out.defines = defines.sorted();
  out.own = own.sorted();
  out.mentions = mentions.sorted();
  out.overrides = overrides.sorted();
  return out;
}

}  // namespace syncsniff::facts
