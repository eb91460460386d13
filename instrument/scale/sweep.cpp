#include "instrument/scale/sweep.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace syncsniff::scale {
namespace {

constexpr size_t kMostValues = 32;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw SweepError("--var=" + text + ": " + why + "; write for example --var BATCH=32,64,128");
}

bool is_name(const std::string& name) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), is_part);
}

SweepValue parse_value(const std::string& text, const std::string& all) {
  SweepValue value{text, 0};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value.number);
  if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(value.number) || value.number <= 0)
    refuse(all, "'" + text + "' is not a number above 0");
  return value;
}

}  // namespace

Sweep parse_sweep(const std::string& text) {
  const size_t equals = text.find('=');
  Sweep sweep;
  sweep.name = text.substr(0, equals);
  if (equals == std::string::npos || !is_name(sweep.name)) refuse(text, "no variable is named");
  for (size_t at = equals + 1; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    sweep.values.push_back(parse_value(text.substr(at, end - at), text));
    at = end + 1;
  }
  const auto less = [](const SweepValue& a, const SweepValue& b) { return a.number < b.number; };
  const auto same = [](const SweepValue& a, const SweepValue& b) { return a.number == b.number; };
  std::stable_sort(sweep.values.begin(), sweep.values.end(), less);
  if (std::adjacent_find(sweep.values.begin(), sweep.values.end(), same) != sweep.values.end())
    refuse(text, "a value is there twice");
  if (sweep.values.size() < 2) refuse(text, "a curve needs two values or more");
  if (sweep.values.size() > kMostValues) refuse(text, "more than " + std::to_string(kMostValues) + " values");
  return sweep;
}

std::vector<std::string> with_value(const std::vector<std::string>& words, const std::string& name,
                                    const std::string& value) {
  const std::string mark = "{" + name + "}";
  std::vector<std::string> replaced = words;
  for (std::string& word : replaced)
    for (size_t at = 0; (at = word.find(mark, at)) != std::string::npos; at += value.size())
      word.replace(at, mark.size(), value);
  return replaced;
}

}  // namespace syncsniff::scale
