// A library that is loaded with RTLD_DEEPBIND: its own dlsym binds to libc's, past every preloaded library.
#include "tests/runtime/clients/scenarios.h"

extern "C" __attribute__((visibility("default"))) int run_deep(const char* scenario) {
  const client::Driver driver = client::open_driver(client::Way::kDlsym);
  return client::run_scenario(driver, scenario) ? 0 : 1;
}
