#pragma once

#include <stdexcept>
#include <string>

namespace c10 {

[[noreturn]] inline void fail(const std::string& message) { throw std::runtime_error(message); }
template <typename... Parts>
std::string joined(const Parts&... parts) {
  std::string text;
  ((text += parts), ...);
  return text;
}

}  // namespace c10

#define TORCH_CHECK(condition, ...) \
  if (!(condition)) ::c10::fail(::c10::joined(__VA_ARGS__))
