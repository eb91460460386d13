// Launches and waits for as many milliseconds as its first argument says, then prints how many launches it made.
// Second argument: `graph` makes an executable graph first, `unwaited` waits for half of what it launches.
#include "tests/runtime/clients/session.h"

using namespace client;

int main(int count, char** argv) {
  const Driver driver = open_driver(Way::kProcAddress);
  const Session session(driver);
  const double ms = std::atof(argv[1]);
  const std::string way = count > 2 ? argv[2] : "";
  CUstream other = nullptr;
  CHECK_CU(driver.cuStreamCreate(&other, 0));
  CUgraphExec graph = nullptr;
  if (way == "graph") CHECK_CU(driver.cuGraphInstantiateWithFlags(&graph, &graph, 0));
  long launches = 0;
  for (const auto start = Clock::now(); ms_since(start) < ms;) {
    for (int i = 0; i < 10; ++i, ++launches) session.launch(way == "unwaited" && i == 9 ? other : session.stream);
    CHECK_CU(driver.cuStreamSynchronize(session.stream));
  }
  std::printf("launches %ld\n", launches);
  return 7;
}
