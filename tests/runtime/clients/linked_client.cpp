// linked_client SCENARIO: a program that links -lcuda and calls the driver by name.
#include "tests/runtime/clients/scenarios.h"

int main(int argc, char** argv) {
  if (argc != 2) client::fail("usage: linked_client SCENARIO");
  client::Driver driver;
#define CLIENT_TAKE_PLAIN(name, parameters) driver.name = &::name;
#define CLIENT_TAKE_STREAM(name, suffix, parameters, arguments) driver.name = &::name;
  FAKE_PLAIN_FUNCTIONS(CLIENT_TAKE_PLAIN)
  FAKE_STREAM_FUNCTIONS(CLIENT_TAKE_STREAM)
  driver.handle = dlopen("libcuda.so.1", RTLD_NOW);
  if (!client::run_scenario(driver, argv[1])) client::fail(std::string("no scenario ") + argv[1]);
  // Without suffix and with: two functions, here too.
  if (std::string(argv[1]) == "init_only") {
    CUfunction kernel = nullptr;
    CHECK_CU(cuModuleGetFunction(&kernel, nullptr, "kernel"));
    CHECK_CU(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    CHECK_CU(cuLaunchKernel_ptsz(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    CHECK_CU(cuLaunchKernel_ptsz(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    auto calls = reinterpret_cast<uint64_t (*)(const char*)>(dlsym(driver.handle, "fakeCalls"));
    for (const char* name : {"cuLaunchKernel", "cuLaunchKernel_ptsz"})
      std::printf("%s %llu\n", name, static_cast<unsigned long long>(calls(name)));
  }
  std::printf("done\n");
  return 7;
}
