// gemm_client WAY: matrix products of cuBLAS as frameworks make them.
//   library  a library that needs cuBLAS, loaded with dlopen (PyTorch)
//   lookup   cuBLAS itself loaded with dlopen, its functions with dlsym (JAX), of two copies
//   absent   no cuBLAS: what asks for it is told so
#include "tests/fake_cublas/fake_cublas.h"
#include "tests/runtime/clients/session.h"

using namespace client;

namespace {

void* open(const char* name) {
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail(dlerror());
  return library;
}

template <class F>
F* find(void* library, const char* name) {
  void* function = dlsym(library, name);
  if (function == nullptr) fail(dlerror());
  return reinterpret_cast<F*>(function);
}

void call_library(const char* path, int mode) {
  uint64_t arguments[4] = {};
  const int status = find<int(uint64_t*, int)>(open(path), "library_products")(arguments, mode);
  std::printf("status %d\n", status);
  for (uint64_t one : arguments) std::printf("arguments %llu\n", static_cast<unsigned long long>(one % 1000000007));
}

void look_up(const char* name, int m) {
  void* const library = open(name);
  void* handle = nullptr;
  find<decltype(cublasCreate_v2)>(library, "cublasCreate_v2")(&handle);
  const int status = find<decltype(cublasSgemm_v2)>(library, "cublasSgemm_v2")(handle, 0, 0, m, 5, 6, nullptr, nullptr,
                                                                               7, nullptr, 8, nullptr, nullptr, 9);
  std::printf("status %d\n", status);
}

}  // namespace

int main(int count, char** argv) {
  const Driver driver = open_driver(Way::kProcAddress);
  const Session session(driver);
  const std::string way = argv[1];
  session.launch(session.stream);
  if (way == "library") call_library(argv[2], count > 3 ? std::atoi(argv[3]) : 0);
  if (way == "lookup") {
    look_up("libcublas.so.13", 40);
    look_up("libcublas_second.so.13", 41);
  }
  if (way == "absent") {
    std::printf("default %d\n", dlsym(RTLD_DEFAULT, "cublasSgemm_v2") != nullptr);
    std::printf("global %d\n", dlsym(dlopen(nullptr, RTLD_NOW), "cublasGemmEx_64") != nullptr);
  }
  CHECK_CU(driver.cuCtxSynchronize());
  return 7;
}
