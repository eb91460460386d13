#pragma once

#include <utility>

#include "ATen/core/Tensor.h"

namespace torch {

struct CustomClassHolder {
  virtual ~CustomClassHolder();
};
template <typename... Arguments>
struct Constructor {};
template <typename... Arguments>
Constructor<Arguments...> init() {
  return {};
}

template <typename Class>
struct ClassBinding {
  template <typename... Arguments>
  ClassBinding& def(Constructor<Arguments...>) {
    (void)sizeof(Class(std::declval<Arguments>()...));
    return *this;
  }
  template <typename Method>
  ClassBinding& def(const char*, Method) {
    return *this;
  }
};

struct Library {
  template <typename Class>
  ClassBinding<Class> class_(const char*) {
    return {};
  }
  template <typename Function>
  Library& def(const char*, Function) {
    return *this;
  }
};

}  // namespace torch

#define TORCH_LIBRARY(name, m)                                                          \
  static void register_##name(torch::Library& m);                                       \
  [[maybe_unused]] void (*const registered_##name)(torch::Library&) = &register_##name; \
  static void register_##name(torch::Library& m)
