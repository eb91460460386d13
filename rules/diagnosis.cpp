#include "rules/diagnosis.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace syncsniff {
namespace {

using State = Diagnosis::State;
constexpr std::pair<State, const char*> kStates[] = {
    {State::kFound, "found"}, {State::kLimited, "limited"}, {State::kMissing, "missing"}};

}  // namespace

bool works(const std::vector<Diagnosis>& lines) {
  return std::none_of(lines.begin(), lines.end(), [](const Diagnosis& line) { return line.state == State::kMissing; });
}

std::string to_string(State state) {
  for (const auto& [known, word] : kStates)
    if (known == state) return word;
  return "missing";
}

std::string diagnoses_json(const std::vector<Diagnosis>& lines) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Diagnosis& line : lines) {
    list.push_back(
        {{"name", line.name}, {"state", to_string(line.state)}, {"detail", line.detail}, {"remedy", line.remedy}});
  }
  return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<Diagnosis> diagnoses_from_json(const std::string& text) {
  std::vector<Diagnosis> lines;
  try {
    for (const nlohmann::json& entry : nlohmann::json::parse(text)) {
      Diagnosis line;
      line.name = entry.at("name").get<std::string>();
      line.detail = entry.at("detail").get<std::string>();
      line.remedy = entry.at("remedy").get<std::string>();
      const std::string word = entry.at("state").get<std::string>();
      const auto known =
          std::find_if(std::begin(kStates), std::end(kStates), [&](const auto& state) { return word == state.second; });
      if (known == std::end(kStates)) throw std::runtime_error("'" + word + "' is not a state");
      line.state = known->first;
      lines.push_back(std::move(line));
    }
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(std::string("no list of diagnoses: ") + error.what());
  }
  return lines;
}

}  // namespace syncsniff
