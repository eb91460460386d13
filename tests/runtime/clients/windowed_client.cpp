// Launches and waits for as many milliseconds as its first argument says, then prints how many launches it made.
// Second argument: `unwaited` waits for half of what it launches; `graphs` launches graphs from two threads, too;
// `unwaited-graphs` does both; `late-graphs` launches graphs after half of the time; `uploads` makes one graph that is
// uploaded, and launches it; `changes` copies, changes, makes and destroys graphs from three threads, and launches
// some; `two-devices` gives a second device work, and then does as `graphs`; `long-graph` launches one graph in the
// first window and prints when that call came back, in ns; `making-beside-long-graph` makes another one meanwhile and
// prints how long that took, in ms; `lingers` launches seldom enough that its windows are not cut short, prints when it
// launched last and ends 50 ms after that.
#include <atomic>
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

void change_graphs(const Session& session, Clock::time_point start, double until_ms, bool launches) {
  while (ms_since(start) < until_ms) {
    CUgraph graph = nullptr;
    CUgraphExec exec = nullptr;
    CHECK_CU(session.cu.cuGraphClone(&graph, &graph));
    if (launches) {
      CHECK_CU(session.cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
      CHECK_CU(session.cu.cuGraphExecKernelNodeSetParams_v2(exec, nullptr, nullptr));
      CHECK_CU(session.cu.cuGraphLaunch(exec, session.stream));
    }
    CHECK_CU(session.cu.cuGraphDestroy(graph));
  }
}

// By what the fake CUPTI logs: it records twice, the first time to throw away.
bool in_first_window() {
  std::ifstream log(std::getenv("FAKE_CUPTI_LOG"));
  int records = 0;
  for (std::string line; std::getline(log, line);) records += line == "record";
  return records >= 2;
}

std::atomic<bool> g_launching{false};

void launch_one_in_first_window(const Session& session) {
  CUgraphExec graph = nullptr;
  CHECK_CU(session.cu.cuGraphInstantiateWithFlags(&graph, &graph, 0));
  while (!in_first_window()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  g_launching = true;
  CHECK_CU(session.cu.cuGraphLaunch(graph, session.stream));
  std::printf("graph_end %lld\n", static_cast<long long>(Clock::now().time_since_epoch().count()));
}

// The launch of the function above is in the driver meanwhile.
void make_one_in_first_window(const Session& session) {
  while (!g_launching) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto begin = Clock::now();
  CUgraphExec graph = nullptr;
  CHECK_CU(session.cu.cuGraphInstantiateWithFlags(&graph, &graph, 0));
  std::printf("making_ms %.1f\n", ms_since(begin));
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
  if (way == "changes")
    for (int i = 0; i < 3; ++i) threads.emplace_back(change_graphs, std::cref(session), start, ms, i != 0);
  if (way == "long-graph" || way == "making-beside-long-graph")
    threads.emplace_back(launch_one_in_first_window, std::cref(session));
  if (way == "making-beside-long-graph") threads.emplace_back(make_one_in_first_window, std::cref(session));
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
