// Launches and waits for as many milliseconds as its first argument says, then prints how many launches it made.
// Second argument: `unwaited` waits for half of what it launches; `graphs` launches graphs from two threads, too;
// `unwaited-graphs` does both; `late-graphs` launches graphs after half of the time; `uploads` makes one graph that is
// uploaded, and launches it; `two-devices` gives a second device work, and then does as `graphs`; `long-graph` launches
// one graph in the first window and prints when that call came back, in ns; `lingers` launches seldom enough that its
// windows are not cut short, prints when it launched last and ends 50 ms after that.
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/clients/session.h"

using namespace client;

namespace {

constexpr uint64_t kUploadFlag = 2;

void launch_graphs(const Session& session, Clock::time_point start, double from_ms, double until_ms) {
  while (ms_since(start) < from_ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CUgraphExec graph = nullptr;
  CHECK_CU(session.cu.cuGraphInstantiateWithFlags(&graph, &graph, 0));
  while (ms_since(start) < until_ms) {
    CHECK_CU(session.cu.cuGraphLaunch(graph, session.stream));
    std::this_thread::sleep_for(std::chrono::microseconds(200));  // the fake device's queue has no end
  }
}

// By what the fake CUPTI logs: it records twice, the first time to throw away.
bool in_first_window() {
  std::ifstream log(std::getenv("FAKE_CUPTI_LOG"));
  int records = 0;
  for (std::string line; std::getline(log, line);) records += line == "record";
  return records >= 2;
}

void launch_one_in_first_window(const Session& session) {
  CUgraphExec graph = nullptr;
  CHECK_CU(session.cu.cuGraphInstantiateWithFlags(&graph, &graph, 0));
  while (!in_first_window()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK_CU(session.cu.cuGraphLaunch(graph, session.stream));
  std::printf("graph_end %lld\n", static_cast<long long>(Clock::now().time_since_epoch().count()));
}

void use_second_device(const Session& session) {
  CUcontext first = nullptr, second = nullptr;
  CHECK_CU(session.cu.cuDevicePrimaryCtxRetain(&first, 0));
  CHECK_CU(session.cu.cuDevicePrimaryCtxRetain(&second, 1));
  CHECK_CU(session.cu.cuCtxSetCurrent(second));
  CUstream stream = nullptr;
  CHECK_CU(session.cu.cuStreamCreate(&stream, 0));
  session.launch(stream);
  CHECK_CU(session.cu.cuCtxSetCurrent(first));
}

}  // namespace

int main(int count, char** argv) {
  const Driver driver = open_driver(Way::kProcAddress);
  const Session session(driver);
  const double ms = std::atof(argv[1]);
  const std::string way = count > 2 ? argv[2] : "";
  CUstream other = nullptr;
  CHECK_CU(driver.cuStreamCreate(&other, 0));
  const auto start = Clock::now();
  if (way == "two-devices") use_second_device(session);
  std::vector<std::thread> threads;
  const bool unwaited = way == "unwaited" || way == "unwaited-graphs";
  if (way == "graphs" || way == "unwaited-graphs" || way == "late-graphs" || way == "two-devices")
    for (int i = 0; i < 2; ++i)
      threads.emplace_back(launch_graphs, std::cref(session), start, way == "late-graphs" ? ms / 2 : 0, ms);
  if (way == "long-graph") threads.emplace_back(launch_one_in_first_window, std::cref(session));
  CUgraphExec uploaded = nullptr;
  if (way == "uploads") CHECK_CU(driver.cuGraphInstantiateWithFlags(&uploaded, &uploaded, kUploadFlag));
  long launches = 0;
  while (ms_since(start) < ms) {
    for (int i = 0; i < 10; ++i, ++launches) session.launch(unwaited && i == 9 ? other : session.stream);
    if (way == "uploads") CHECK_CU(driver.cuGraphLaunch(uploaded, session.stream));
    CHECK_CU(driver.cuStreamSynchronize(session.stream));
    if (way == "lingers") std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (std::thread& thread : threads) thread.join();
  if (way == "lingers") {
    std::printf("last_launch %lld\n", static_cast<long long>(Clock::now().time_since_epoch().count()));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::printf("launches %ld\n", launches);
  return 7;
}
