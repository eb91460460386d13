// Launches and waits for as many milliseconds as its argument says, then prints how many launches it made.
#include "tests/runtime/clients/session.h"

using namespace client;

int main(int, char** argv) {
  const Driver driver = open_driver(Way::kProcAddress);
  const Session session(driver);
  const double ms = std::atof(argv[1]);
  long launches = 0;
  for (const auto start = Clock::now(); ms_since(start) < ms;) {
    for (int i = 0; i < 10; ++i, ++launches) session.launch(session.stream);
    CHECK_CU(driver.cuStreamSynchronize(session.stream));
  }
  std::printf("launches %ld\n", launches);
  return 7;
}
