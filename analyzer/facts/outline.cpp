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
  void add_key(Text key) { add(Text("key " + key.str())); }  // differs from any USR
  // The keys by which the value is looked up.
  void add_keys_of_lookups(const Value& value) {
    if (value.kind == Value::Kind::kContent && !value.text.empty()) add_key(value.text);
    for (const Value& operand : value.operands) add_keys_of_lookups(operand);
  }
  // The keys under which the value's functions are stored.
  void add_keys_of_kept(const Value& value) {
    if (value.kind == Value::Kind::kAny && !value.text.empty()) add_key(value.text);
    for (const Value& operand : value.operands) add_keys_of_kept(operand);
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

// A new member of UnitFacts has to be named here, or this does not compile.
UnitFacts without_code(const UnitFacts& unit) {
  const auto& [file, sources, functions, flows, turns, undefined, unread_libraries, errors, error_count, fatal, no_code,
               mentions_cuda_device, per_thread_default_stream] = unit;
  return {file,
          sources,
          {},
          {},
          {},
          {},
          unread_libraries,
          errors,
          error_count,
          fatal,
          no_code,
          mentions_cuda_device,
          per_thread_default_stream};
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
      if (!e.callee.id.empty()) mentions.add(e.callee.id);
      if (!e.key.empty()) (hand_function(e.args) ? overrides : mentions).add_key(e.key);
      mentions.add_keys_of_lookups(e.object);
      mentions.add_functions(e.object);
      for (const Value& argument : values(e.args)) mentions.add_functions(argument);
    }
  }
  for (const Flow& flow : unit.flows) {
    mentions.add_functions(flow.value);
    mentions.add_keys_of_lookups(flow.value);
    overrides.add_keys_of_kept(flow.value);
  }
  out.defines = defines.sorted();
  out.own = own.sorted();
  out.mentions = mentions.sorted();
  out.overrides = overrides.sorted();
  return out;
}

}  // namespace syncsniff::facts
