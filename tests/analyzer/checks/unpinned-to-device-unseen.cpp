// Tensors that come from code of which only the declaration is in sight: what is moved to the GPU in each iteration is
// not there yet.
#include <torch/torch.h>

class Loader {
 public:
  bool operator()(std::tuple<torch::Tensor, torch::Tensor>& batch);
  torch::Tensor next();
};
torch::Tensor upload(Loader& loader, torch::Device device);
torch::Tensor augment(torch::Tensor image);

void train(Loader& loader, torch::nn::Linear& net, torch::optim::SGD& optimizer) {
  torch::Device device(torch::kCUDA);
  net->to(device);
  std::tuple<torch::Tensor, torch::Tensor> batch;
  while (loader(batch)) {
    auto image = std::get<0>(batch).to(device);                      // expect-high [unpinned-to-device]
    auto extra = loader.next().to(device);                           // expect-high [unpinned-to-device]
    auto ready = upload(loader, device).to(device);                  // it was given the device
    auto changed = augment(image).to(device);                        // what it was given is there already
    auto loss = net->forward(torch::cat({image, extra, ready, changed})).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
