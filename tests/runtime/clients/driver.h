// The driver as a test client sees it, resolved in one of the ways that real programs use.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/fake_driver/driver_api.h"

namespace client {

enum class Way { kDlsym, kProcAddress, kProcAddressPerThread, kLinked };

#define CLIENT_MEMBER_PLAIN(name, parameters) CUresult(*name) parameters = nullptr;
#define CLIENT_MEMBER_STREAM(name, suffix, parameters, arguments) CUresult(*name) parameters = nullptr;

struct Driver {
  FAKE_PLAIN_FUNCTIONS(CLIENT_MEMBER_PLAIN)
  FAKE_STREAM_FUNCTIONS(CLIENT_MEMBER_STREAM)
  void* handle = nullptr;
};

[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "client: %s\n", what.c_str());
  std::exit(90);
}

// The version that a client built with CUDA 12 asks for each name with: cuCtxSynchronize has another ABI from 13000 on.
constexpr int kAskedVersion = 12000;

using GetProcAddress = CUresult (*)(const char*, void**, int, uint64_t, int*);

inline std::string base_name(const char* symbol) {
  std::string name = symbol;
  const auto cut = name.rfind("_v");
  if (cut != std::string::npos && name.size() == cut + 3) name.resize(cut);
  return name;
}

inline void* look_up(Way way, void* handle, GetProcAddress get, const char* symbol) {
  if (way == Way::kDlsym) return dlsym(handle, symbol);
  if (std::strcmp(symbol, "cuCtxSynchronize_v2") == 0) return nullptr;
  void* function = nullptr;
  get(base_name(symbol).c_str(), &function, kAskedVersion, way == Way::kProcAddressPerThread ? kPerThreadFlag : 0,
      nullptr);
  return function;
}

// A call of a function that the driver does not have says so.
#define CLIENT_LOOK_UP_PLAIN(name, parameters)                                                    \
  driver.name = reinterpret_cast<decltype(driver.name)>(look_up(way, driver.handle, get, #name)); \
  if (driver.name == nullptr) driver.name = [] parameters -> CUresult { fail("the driver has no " #name); };
#define CLIENT_LOOK_UP_STREAM(name, suffix, parameters, arguments) CLIENT_LOOK_UP_PLAIN(name, parameters)

inline Driver open_driver(Way way) {
  Driver driver;
  driver.handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver.handle == nullptr) fail(dlerror());
  GetProcAddress get = nullptr;
  if (way != Way::kDlsym) {
    // As cudart does: the first look-up by dlsym, cuGetProcAddress itself through cuGetProcAddress.
    auto first = reinterpret_cast<GetProcAddress>(dlsym(driver.handle, "cuGetProcAddress_v2"));
    if (first == nullptr) fail("no cuGetProcAddress_v2");
    if (first("cuGetProcAddress", reinterpret_cast<void**>(&get), kAskedVersion, 0, nullptr) != 0)
      fail("no cuGetProcAddress");
  }
  FAKE_PLAIN_FUNCTIONS(CLIENT_LOOK_UP_PLAIN)
  FAKE_STREAM_FUNCTIONS(CLIENT_LOOK_UP_STREAM)
  return driver;
}

inline void check(CUresult result, const char* what) {
  if (result != kCudaSuccess) fail(std::string(what) + " failed: " + std::to_string(result));
}
#define CHECK_CU(call) client::check(call, #call)

}  // namespace client
