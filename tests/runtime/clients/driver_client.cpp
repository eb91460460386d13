// driver_client WAY SCENARIO [WORDS...]: resolves the driver that way (dlsym, proc, proc_per_thread) and runs one
// scenario.
#include "tests/runtime/clients/scenarios.h"

int main(int argc, char** argv) {
  if (argc < 3) client::fail("usage: driver_client dlsym|proc|proc_per_thread SCENARIO");
  const std::string way = argv[1];
  const client::Driver driver = client::open_driver(way == "dlsym"  ? client::Way::kDlsym
                                                    : way == "proc" ? client::Way::kProcAddress
                                                                    : client::Way::kProcAddressPerThread);
  if (!client::run_scenario(driver, argv[2])) client::fail(std::string("no scenario ") + argv[2]);
  std::puts("done");  // by this name, which a preloaded library wraps: a fortified printf is another
  return 7;           // an exit status of its own, to see that it comes through
}
