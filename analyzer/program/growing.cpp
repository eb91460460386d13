#include "analyzer/program/growing.h"

#include <set>
#include <string>

#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

// The field or variable that an argument is or points to.
std::string argument_node(const Event& event, int argument) {
  if (argument < 0 || argument >= static_cast<int>(event.args.size())) return {};
  const std::string& written = event.args[argument].node;
  const std::string& node = written.empty() ? event.args[argument].value.node.str() : written;
  const size_t begin = node.find_first_not_of('*');
  return begin == std::string::npos ? "" : node.substr(begin);
}

// Recognises free(data); data = malloc(more); copy(data, kept_elsewhere), if the content was copied out before, and
// more = malloc(); copy(more, data); free(data).
bool moves_content(const Code& code, const Function& f) {
  std::set<std::string> made, freed, made_again, read;
  std::set<std::string> moved;  // copied into memory that is allocated here
  for (const Event& event : f.events) {
    const ApiFact* fact = code.api(event);
    if (!fact || event.kind != Event::Kind::kApi || is_off(f, event.region)) continue;
    if (fact->copy) {
      const std::string from = argument_node(event, fact->copy->src), to = argument_node(event, fact->copy->dst);
      if (made_again.count(to)) return true;
      if (!from.empty()) read.insert(from);
      if (!from.empty() && made.count(to)) moved.insert(from);
    }
    if (fact->frees == MemoryKind::kDevice) {
      const std::string node = argument_node(event, fact->freed_arg);
      if (moved.count(node)) return true;
      if (read.count(node)) freed.insert(node);
    }
    if (fact->allocates == MemoryKind::kDevice) {
      const std::string node = argument_node(event, fact->out_arg);
      if (!node.empty()) (freed.count(node) ? made_again : made).insert(node);
    }
  }
  return false;
}

}  // namespace

std::vector<bool> functions_that_move_content(const Code& code, const EffectTable& effects) {
  std::vector<bool> moves(code.count());
  for (int f = 0; f < code.count(); ++f) {
    const Function& function = code.function(f);
    moves[f] = !function.is_kernel && !effects.of(f).launches && moves_content(code, function);
  }
  return moves;
}

}  // namespace syncsniff::program
