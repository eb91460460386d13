#include <cmath>
#include <nlohmann/json.hpp>

#include "instrument/scale/scaling.h"
#include "rules/untrusted_text.h"

namespace syncsniff::scale {
namespace {

using Json = nlohmann::ordered_json;
using compare::DeviceFigures;

constexpr int kFormatVersion = 1;

Json growth_json(const Growth& growth) {
  if (!growth.known) return Json();
  return {{"share", growth.time}, {"interval", {growth.low, growth.high}}};
}

Json gpu_json(const DeviceFigures& device) {
  Json json{{"busy", device.busy},
            {"idle", device.idle},
            {"work_ns", std::llround(device.busy * device.step_ns)},
            {"host", Json::object()}};
  for (const auto& [name, share] : device.host) json["host"][name] = share;
  return json;
}

Json point_json(const Measured& one, Regime regime) {
  const compare::StepFigures& steps = one.run.steps;
  Json json{{"value", one.value.number}, {"regime", to_string(regime)}, {"trace", one.run.path}};
  json["steps"] = {
      {"found", steps.found()}, {"how", steps.how}, {"confidence", steps.confidence}, {"seen", steps.seen}};
  if (!steps.found()) return json;
  json["steps"]["median_ns"] = std::llround(steps.median_ns);
  json["launches"] = one.run.of_step.launches;
  json["copied_bytes"] = one.run.of_step.copied_bytes;
  json["blocked_ns"] = std::llround(one.run.of_step.blocked_ns);
  if (const DeviceFigures* device = most_idle_device(one.run); device != nullptr && device->of_steps)
    json["gpu"] = gpu_json(*device);
  return json;
}

}  // namespace

void write_json(const Scaling& scaling, std::ostream& out) {
  Json json{{"format", "syncsniff-scale"}, {"version", kFormatVersion}, {"variable", scaling.name},
            {"command", scaling.command},  {"points", Json::array()},   {"growth", Json::array()}};
  for (size_t i = 0; i < scaling.runs.size(); ++i)
    json["points"].push_back(point_json(scaling.runs[i], scaling.curve.regimes[i]));
  for (const Growth& growth : scaling.curve.growth) json["growth"].push_back(growth_json(growth));
  json["turn"] = Json();
  if (const auto& turn = scaling.curve.turn)
    json["turn"] = {{"after", scaling.runs[turn->last_flat].value.number},
                    {"before", scaling.runs[turn->first_bound].value.number},
                    {"at_about", turn->value}};
  json["says"] = sentences_of(scaling);
  json["notes"] = scaling.notes;
  out << guard_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace syncsniff::scale
