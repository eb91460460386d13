// Functions of the standard library that call the function that they are given before they return.
#pragma once

#include <set>
#include <string>

namespace syncsniff::facts {

// Calls it for one element after the other.
inline bool is_loop_of_library(const std::string& name) {
  static const std::set<std::string> kLoops = {
      "std::for_each",       "std::for_each_n",    "std::transform",   "std::transform_reduce", "std::accumulate",
      "std::reduce",         "std::inner_product", "std::generate",    "std::generate_n",       "std::all_of",
      "std::any_of",         "std::none_of",       "std::count_if",    "std::find_if",          "std::find_if_not",
      "std::remove_if",      "std::replace_if",    "std::partition",   "std::copy_if",          "std::max_element",
      "std::min_element",    "std::sort",          "std::stable_sort", "std::partial_sum",      "std::inclusive_scan",
      "std::exclusive_scan", "std::adjacent_find"};
  // A view calls nothing before a loop goes through it (FunctionWalker::call_of_view).
  return kLoops.count(name) != 0 || (name.starts_with("std::ranges::") && !name.starts_with("std::ranges::views::"));
}

// Calls it for one element after the other, with that element alone, and does not combine the results.
inline bool is_for_each(const std::string& name) {
  return name == "std::for_each" || name == "std::for_each_n" || name.starts_with("std::ranges::__for_each") ||
         name.starts_with("std::ranges::for_each");
}

// Calls it once.
inline bool calls_what_it_is_given(const std::string& name) {
  static const std::set<std::string> kOnce = {"std::invoke", "std::apply", "std::visit", "std::call_once"};
  return kOnce.count(name) != 0;
}

}  // namespace syncsniff::facts
