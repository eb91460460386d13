// A header of others is missing: loops over what it declares keep their bodies, and calls that take it are kept.
// status: partial
#include <missing/loader.h>
#include <cuda_runtime.h>

#include <vector>

using lib::io::Reader;
using namespace lib::plain;

__global__ void k(float* x, int n) { x[threadIdx.x] += n; }

struct Net {
  float* d;
  float loss(int i) {
    k<<<1, 32>>>(d, i);
    float h;
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    return h;
  }
};

void unknown_class(Net& net) {
  lib::Loader loader("f");
  for (auto& batch : loader) {
    k<<<1, 32>>>(net.d, 1);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

void argument(Net& net) {
  lib::Loader loader("f");
  for (int i = 0; i < loader.size(); i++) net.loss(loader.y(i));  // expect-high [scalar-readback]
}

void made_by_a_template(Net& net) {
  auto set = lib::data::make_set<float>("x", 3);
  for (auto [x, y] : *set) {
    k<<<1, 32>>>(net.d, 1);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

void parameter(Net& net, Dataset& set, Reader& reader) {
  for (const Batch& x : set.batches(3)) {
    k<<<1, 32>>>(net.d, x.id);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  for (auto x : reader) net.loss(x);  // expect-high [scalar-readback]
}

void members(Net& net, const cli::Options& options) {
  cli::Parser parser{options};
  Bar bar(options.epochs, kWidth);
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    for (auto& x : parser.get().rows) {
      k<<<1, 32>>>(net.d, x.id);
      cudaStreamSynchronize(0);  // expect-high [sync-in-loop]
    }
    bar.tick();
  }
}

void in_a_vector(Net& net) {
  std::vector<lib::Item> items = lib::read_all();
  for (auto& item : items) {
    CHECK_GT(net.loss(item.id), 0) << "bad";  // expect-high [scalar-readback]
  }
}

template <class T>
void in_a_template(Net& net, lib::Set<T>& set) {
  for (auto& x : set) {
    k<<<1, 32>>>(net.d, 1);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

class Trainer : public lib::Base {
 public:
  void run() {
    for (auto& x : data_) {
      k<<<1, 32>>>(net.d, lib::Mode::kFast);
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
  }
  lib::Loader data_;
  Net net;
};

void called(Net& net) {
  lib::queue->each([&](int i) { net.loss(i); });  // expect-medium [scalar-readback]
  while (lib::next()) net.loss(3);  // expect-high [scalar-readback]
}

// Declared by the unit behind its use: not given a second time.
void late(Net& net) {
  for (Late& x : all_late(net)) net.loss(x.id);
}
struct Late {
  int id;
};
std::vector<Late> all_late(Net& net);

// Not more than before: no GPU work, a wait before the loop, one element's clean-up.
void quiet(Net& net) {
  lib::Loader loader("f");
  int count = 0;
  for (auto& batch : loader) count += batch.size();
  k<<<1, 32>>>(net.d, count);
  cudaDeviceSynchronize();
}

int main() {
  Net net;
  unknown_class(net);
  argument(net);
  made_by_a_template(net);
  parameter(net, lib::set(), lib::reader());
  members(net, cli::Options(3));
  in_a_vector(net);
  lib::Set<float> set;
  in_a_template(net, set);
  Trainer().run();
  called(net);
  late(net);
  quiet(net);
}
