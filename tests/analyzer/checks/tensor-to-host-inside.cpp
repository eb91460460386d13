// Waits that the call's name does not show: reads inside multinomial, one_hot and factorisations, masks behind views,
// copies to kCPU, and jobs that another method runs.
#include <torch/torch.h>

#include <functional>
#include <ostream>
#include <queue>

void sampling(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  auto host = torch::rand({64, 8});
  for (int step = 0; step < steps; ++step) {
    auto p = net->forward(x);
    auto one = torch::multinomial(p, 1, true);  // checked on the device since LibTorch 2.6
    auto all = torch::multinomial(p, 8);
    auto many = torch::multinomial(p, 8, true);  // nothing is checked
    auto there = torch::multinomial(host, 1);
    auto wide = torch::one_hot(one);     // expect-high [tensor-to-host]
    auto known = torch::one_hot(one, 8);
    auto twice = p.repeat_interleave(2, 1);             // the size is known
    auto sized = p.repeat_interleave(one, 0, 64);
    auto counted = p.repeat_interleave(one, 0);         // expect-high [tensor-to-host]
    torch::cat({one, all, many, wide, known, twice, sized, counted}).sum().backward();
    o.step();
  }
}

// A factorisation fetches its error code to throw on a singular matrix; the _ex form leaves it on the device.
void factorisations(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  auto pose = torch::rand({4, 4}, torch::kCUDA);
  auto host = torch::rand({4, 4});
  for (int step = 0; step < steps; ++step) {
    auto view = net->forward(pose);
    auto a = torch::linalg_inv(view);       // expect-high [tensor-to-host] reads a value of its own
    auto b = view.inverse();                // expect-high [tensor-to-host]
    auto c = torch::linalg_cholesky(view);  // expect-high [tensor-to-host]
    auto d = std::get<0>(torch::linalg_inv_ex(view));
    auto e = torch::det(view);
    auto there = torch::linalg_inv(host);
    torch::cat({a, b, c, d, e}).sum().backward();
    o.step();
  }
}

void masks(torch::optim::Adam& o, int steps) {
  auto count = torch::zeros({64}, torch::kCUDA);
  auto radii = torch::rand({64, 1}, torch::kCUDA);
  auto order = torch::arange(64, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    torch::Tensor mask = (radii > 0).flatten();
    auto a = count.index({mask});                   // expect-high [tensor-to-host]
    auto b = count.index({(radii > 0).squeeze()});  // expect-high [tensor-to-host]
    auto c = count.index({order.flatten()});        // places, no truth values
    auto d = count.index({(radii > 0).to(torch::kLong)});
    torch::cat({a, b, c, d}).sum().backward();
    o.step();
  }
}

std::pair<torch::Tensor, torch::Tensor> heads(torch::nn::Sequential a, torch::Tensor x) {
  return std::make_pair(a->forward(x), torch::rand({4}));
}

// What a network gives back, as far as is known, may be on the GPU; what the host made is not.
void to_cpu(torch::nn::Sequential net, torch::optim::Adam& o, bool& running) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  while (running) {
    auto r = heads(net, x);
    auto p = r.first.to(torch::kCPU);  // expect-high [tensor-to-host]
    auto v = r.second.to(torch::kCPU);
    running = p.data_ptr<float>()[0] > v.data_ptr<float>()[0];
    x.sum().backward();
    o.step();
  }
}

// A job that one method keeps and another runs.
struct Pool {
  void queue(const std::function<void()>& job) { jobs.push(job); }
  void work() {
    while (!jobs.empty()) {
      auto job = jobs.front();
      jobs.pop();
      job();
    }
  }
  std::queue<std::function<void()>> jobs;
};
void pooled(torch::nn::Linear net, torch::optim::Adam& o, Pool& pool, double& total, int steps) {
  for (int step = 0; step < steps; ++step) {
    auto obs = torch::zeros({8, 4}, torch::kCUDA);
    pool.queue([&obs, &total] { total += obs.sum().item<double>(); });  // expect-high [tensor-to-host]
    pool.work();
    net->forward(obs).sum().backward();
    o.step();
  }
}

// The same value once more: the GPU is idle whatever the host did in between, unless it put work there.
struct Progress {
  void add(double v) { sum += v; ++n; }
  int count() { return n; }
  double sum = 0;
  int n = 0;
};
void spend(torch::Tensor x) { x.mul_(2.0); }
void again(torch::nn::Linear net, torch::optim::Adam& o, std::ostream& log, int steps) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  Progress progress;
  for (int step = 0; step < steps; ++step) {
    auto loss = net->forward(x).sum();
    loss.backward();
    o.step();
    progress.add(loss.item<double>());  // expect-high [tensor-to-host]
    log << progress.count();
    log << loss.item<double>();  // expect-low [tensor-to-host] once more
    spend(x);
    log << loss.item<double>();  // expect-high [tensor-to-host]
  }
}

// `n` is counted anew after the test, and is no best value so far; `best` is one.
torch::Tensor counted(torch::Tensor x) {
  int n = static_cast<int>(x.size(0));
  if (n <= 0) return x;
  double b = x.sum().item<double>();  // expect-high [tensor-to-host]
  auto part = x * b;
  n = static_cast<int>(part.size(0));
  return part * double(n);
}
void counts(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  double best = 1e9, known = 0;
  for (int step = 0; step < steps; ++step) {
    auto loss = counted(net->forward(x)).sum();
    loss.backward();
    o.step();
    known += 0.5;
    if (known < best) {
      best = known;
      best += x.sum().item<double>();  // expect-medium [tensor-to-host]
    }
  }
}
