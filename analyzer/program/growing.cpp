// Functions that move what device memory holds to a larger place, as an arena or a vector does now and then: whoever
// calls them how often, they do that seldom.
#include <set>

#include "analyzer/program/program.h"
#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

// The field or variable that an argument is, or points to.
std::string argument_node(const Event& event, int argument) {
  if (argument < 0 || argument >= static_cast<int>(event.args.size())) return {};
  const std::string& written = event.arg_nodes[argument];
  const std::string& node = written.empty() ? event.args[argument].node.str() : written;
  const size_t begin = node.find_first_not_of('*');
  return begin == std::string::npos ? "" : node.substr(begin);
}

}  // namespace

// free(data); data = malloc(more); copy(data, kept_elsewhere), with the content copied out of it before. Or
// more = malloc(); copy(more, data); free(data).
bool Program::moves_content(int function) const {
  const Function& f = code_.function(function);
  if (f.is_kernel || effects_.of(function).launches) return false;
  std::set<std::string> made, freed, made_again, read;
  std::set<std::string> moved;  // into memory that is made here
  for (const Event& event : f.events) {
    const ApiFact* fact = code_.api(event);
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

}  // namespace syncsniff::program
