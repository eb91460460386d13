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
class ContentMoves {
 public:
  // Whether the call is the last that moves content.
  bool completes(const Event& event, const ApiFact& fact) {
    if (fact.copy && copies(argument_node(event, fact.copy->src), argument_node(event, fact.copy->dst))) return true;
    if (fact.frees == MemoryKind::kDevice && frees(argument_node(event, fact.freed_arg))) return true;
    if (fact.allocates == MemoryKind::kDevice) allocates(argument_node(event, fact.out_arg));
    return false;
  }

 private:
  bool copies(const std::string& from, const std::string& to) {
    if (made_again_.count(to)) return true;
    if (!from.empty()) read_.insert(from);
    if (!from.empty() && made_.count(to)) moved_.insert(from);
    return false;
  }
  bool frees(const std::string& node) {
    if (moved_.count(node)) return true;
    if (read_.count(node)) freed_.insert(node);
    return false;
  }
  void allocates(const std::string& node) {
    if (!node.empty()) (freed_.count(node) ? made_again_ : made_).insert(node);
  }

  std::set<std::string> made_, freed_, made_again_, read_;
  std::set<std::string> moved_;  // copied into memory that is allocated here
};

bool moves_content(const Code& code, const Function& f) {
  ContentMoves moves;
  for (const Event& event : f.events) {
    const ApiFact* fact = code.api(event);
    if (!fact || event.kind != Event::Kind::kApi || is_off(f, event.region)) continue;
    if (moves.completes(event, *fact)) return true;
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
