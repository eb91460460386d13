// Lists of tensors under several names: through references, pointers and owners, made of the options that another list
// keeps.
#include <torch/torch.h>

#include <memory>
#include <utility>
#include <vector>

using Tensor = torch::Tensor;
using Tensors = std::vector<Tensor>;

struct Keep {
  Tensors all;
  Tensors& get() { return all; }
};

class Buffer {
 public:
  explicit Buffer(const std::vector<torch::TensorOptions>& options) {
    for (size_t i = 0; i < options.size(); ++i) data_.push_back(torch::zeros({8, 4}, options[i]));
  }
  std::unique_ptr<Tensors> sample(Tensor picked) {
    auto out = std::make_unique<Tensors>();
    for (auto& tensor : data_) out->push_back(tensor.index({picked}));
    return out;
  }

 private:
  Tensors data_;
};

struct Trainer {
  torch::Device replay = torch::kCPU;
  std::shared_ptr<Buffer> buffer, resident;
  void init() {
    std::vector<torch::TensorOptions> options, on_gpu;
    options.push_back(torch::TensorOptions().device(replay));
    options.push_back(torch::TensorOptions().dtype(torch::kFloat32).device(replay));
    buffer = std::make_shared<Buffer>(options);
  }
  Tensor step() {
    auto storage = buffer->sample(torch::randperm(8));
    auto& sample = *storage;
    return sample[0].to(torch::kCUDA) +   // expect-high [unpinned-to-device]
           (*storage)[1].to(torch::kCUDA);  // expect-high [unpinned-to-device]
  }
};

void names(Tensors& list, Tensors& resident) {
  auto& alias = list;
  auto* pointer = &list;
  auto owner = std::make_unique<Tensors>();
  owner->push_back(torch::zeros({8, 4}));
  Keep keep;
  keep.all.push_back(torch::zeros({8, 4}));
  auto& kept = keep.get();
  auto& on_gpu = resident;
  Tensor sum;
  for (int step = 0; step < 1000; ++step) {
    sum = torch::relu(alias[0].to(torch::kCUDA));       // expect-high [unpinned-to-device]
    sum = torch::relu((*pointer)[0].to(torch::kCUDA));  // expect-high [unpinned-to-device]
    sum = torch::relu((*owner)[0].to(torch::kCUDA));    // expect-high [unpinned-to-device]
    sum = torch::relu(owner->at(0).to(torch::kCUDA));   // expect-high [unpinned-to-device]
    sum = torch::relu(kept[0].to(torch::kCUDA));        // expect-high [unpinned-to-device]
    sum = torch::relu(on_gpu[0].to(torch::kCUDA));
  }
}

int main() {
  Tensors list, resident;
  list.push_back(torch::zeros({8, 4}));
  resident.push_back(torch::zeros({8, 4}, torch::kCUDA));
  names(list, resident);
  Trainer trainer;
  trainer.init();
  for (int step = 0; step < 1000; ++step) torch::relu(trainer.step());
}
