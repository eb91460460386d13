// Where a tensor goes to, and where one is written into, told by other tensors, pointers and constructors.
#include <torch/torch.h>

#include <memory>
#include <vector>

// What only the network's output knows. A change of the type moves nothing, and a tensor of that device is there.
struct Criterion {
  torch::Tensor operator()(std::vector<torch::Tensor>& inputs) {
    torch::Device device = inputs.at(0).device();
    auto zero = torch::zeros({1}).to(device);                       // expect-high [unpinned-to-device] made on the host
    auto steps = torch::arange(8, torch::dtype(torch::kFloat)).to(device);  // expect-high [unpinned-to-device]
    auto as_double = torch::zeros({1}).to(torch::kDouble);
    auto typed = torch::zeros({1}).to(torch::TensorOptions(torch::kDouble));
    auto here = torch::zeros({1}, device).to(device);
    auto weights = torch::tensor({0.5, 0.5}, device);  // expect-high [unpinned-to-device] assembled on the host
    auto kept = torch::tensor({0.5, 0.5});
    return inputs.at(0).matmul(steps).matmul(zero).matmul(here).matmul(weights);
  }
};

void device_of(torch::nn::Sequential net, torch::optim::Adam& o, Criterion& criterion, int count) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  for (int step = 0; step < count; ++step) {
    std::vector<torch::Tensor> out;
    out.push_back(net->forward(x));
    criterion(out).backward();
    o.step();
  }
}

// A device behind a pointer.
struct Trainer {
  Trainer() { device_ = std::make_shared<torch::Device>(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU); }
  void run(torch::optim::Adam& o, int count) {
    auto obs = torch::zeros({64, 8}, torch::TensorOptions(*device_).dtype(torch::kFloat32));
    auto moved = torch::zeros({64, 8}).to(*device_);
    double total = 0;
    for (int step = 0; step < count; ++step) {
      auto batch = obs.index({torch::arange(64)});  // expect-high [unpinned-to-device] indices are on the host
      auto there = obs.index({torch::arange(64, *device_)});
      obs[3] = torch::zeros({8});            // expect-high [unpinned-to-device]
      auto x = torch::rand({8}).to(*device_);  // expect-high [unpinned-to-device]
      total += moved.sum().item<double>();   // expect-high [tensor-to-host]
      batch.matmul(there).matmul(x).sum().backward();
      o.step();
    }
  }
  std::shared_ptr<torch::Device> device_;
};

// On the CPU whatever the program does elsewhere.
struct OnHost {
  OnHost() : device_(std::make_shared<torch::Device>(torch::kCPU)) {}
  double run(int count) {
    auto obs = torch::zeros({64, 8}, *device_);
    double total = 0;
    for (int step = 0; step < count; ++step) total += obs.index({torch::arange(64)}).sum().item<double>();
    return total;
  }
  std::shared_ptr<torch::Device> device_;
};

// Fields that the constructor assigns in its body; what make_unique is given; two objects of one class.
struct InBody {
  InBody() {
    order = torch::arange(64);
    there = torch::arange(64, torch::kCUDA);
  }
  torch::Tensor order, there;
};
struct Shuffled {
  explicit Shuffled(torch::Tensor data) : data_(data) {}
  torch::Tensor next() { return data_.index({torch::arange(64)}); }  // expect-high [unpinned-to-device]
  torch::Tensor data_;
};
struct Both {
  explicit Both(torch::Tensor data) : data_(data) {}
  torch::Tensor next() { return data_.index({torch::arange(64)}); }  // expect-high [unpinned-to-device]
  torch::Tensor data_;
};
struct HostOnly {
  explicit HostOnly(torch::Tensor data) : data_(data) {}
  torch::Tensor next() { return data_.index({torch::arange(64)}); }
  torch::Tensor data_;
};
void unit_test() { Both(torch::zeros({64, 8})).next(); }

void objects(torch::nn::Linear net, torch::optim::Adam& o, InBody& body, int count) {
  auto x = torch::zeros({64, 8}, torch::kCUDA);
  for (int step = 0; step < count; ++step) {
    auto p = x.index({body.order});  // expect-high [unpinned-to-device]
    auto q = x.index({body.there});
    auto a = std::make_unique<Shuffled>(x);
    auto b = std::make_unique<HostOnly>(torch::zeros({64, 8}));
    b->next();
    Both c(x);
    net->forward(torch::cat({p, q, a->next(), c.next()})).sum().backward();
    o.step();
  }
}

// The matrix is on the host, and what joins it is made there, too. The other one is made on the GPU.
torch::Tensor view_of(const torch::Tensor& pose, torch::Device device) {
  torch::Tensor rotation = pose.view({4, 4});
  rotation = rotation.matmul(torch::tensor({1.0f, -1.0f, -1.0f}, rotation.device()));
  torch::Tensor view = torch::eye(4, device), other = torch::eye(4, device);
  view[0] = rotation;  // expect-high [unpinned-to-device]
  view.index_put_({torch::arange(3, device)}, rotation);  // expect-high {{a tensor in pageable host memory}} [unpinned-to-device]
  torch::Tensor axis = torch::ones({3}, device);
  axis = axis.matmul(torch::tensor({1.0f, -1.0f, -1.0f}, axis.device()));  // expect-high [unpinned-to-device]
  other[0] = axis;
  return view.matmul(other);
}
void cameras(torch::optim::Adam& o, int count) {
  std::vector<torch::Tensor> poses{torch::eye(4), torch::eye(4)};
  for (int step = 0; step < count; ++step) {
    view_of(poses[step % 2], torch::kCUDA).sum().backward();
    o.step();
  }
}

// A window that is moved to where the image is: in the first step alone. One that is made anew is moved each time.
struct Ssim {
  Ssim() { window = torch::ones({3, 3}); }
  torch::Tensor run(const torch::Tensor& image) {
    if (!(image.device() == window.device())) window = window.to(image.device());
    torch::Tensor fresh = torch::ones({3, 3});
    if (!(image.device() == fresh.device())) fresh = fresh.to(image.device());  // expect-high [unpinned-to-device]
    return image.matmul(window).matmul(fresh);
  }
  torch::Tensor window;
};
void moved_once(torch::nn::Linear net, torch::optim::Adam& o, Ssim& ssim, int count) {
  auto x = torch::rand({64, 3}, torch::kCUDA);
  for (int step = 0; step < count; ++step) {
    ssim.run(net->forward(x)).sum().backward();
    o.step();
  }
}

int main() {
  torch::nn::Linear net(8, 8);
  torch::nn::Sequential layers;
  torch::optim::Adam o(net->parameters(), 0.1);
  Criterion criterion;
  device_of(layers, o, criterion, 100);
  Trainer().run(o, 100);
  OnHost().run(100);
  InBody body;
  objects(net, o, body, 100);
  unit_test();
  cameras(o, 100);
  Ssim ssim;
  moved_once(net, o, ssim, 100);
}
