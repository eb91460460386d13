#include "analyzer/program/namings.h"

namespace syncsniff::program {

namespace {

constexpr size_t kMostNamings = 16;  // of one function

void add_places(const Value& value, const Place& place, facts::TextMap<std::vector<Place>>& to) {
  for_each_function(value, [&](const facts::Text& usr) {
    std::vector<Place>& places = to[usr];
    if (places.size() < kMostNamings) places.push_back(place);
  });
}

}  // namespace

void Namings::read() const {
  places_.emplace();
  for (const auto& [node, into] : flows_.all())
    for (const LinkedFlow& flow : into) add_places(flow.flow->value, flow.flow->place, *places_);
  for (const Function* function : code_.functions())
    for (const Event& event : function->events)
      for (const Value& argument : facts::values(event.args)) add_places(argument, event.place, *places_);
}

const std::vector<Place>& Namings::of(int function) const {
  static const std::vector<Place> kNone;
  if (!places_) read();
  const auto found = places_->find(code_.function(function).usr);
  return found == places_->end() ? kNone : found->second;
}

}  // namespace syncsniff::program
