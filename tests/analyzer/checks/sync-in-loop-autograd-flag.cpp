// What a call of an autograd function gives, its forward hands on: the context comes before it.
#include <cuda_runtime.h>
#include <torch/torch.h>

static void render(const at::Tensor& points, bool debug) {
  at::Tensor moved = points + 1;
  if (debug) cudaDeviceSynchronize();
}
struct Render : torch::autograd::Function<Render> {
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, at::Tensor points,
                                                bool prefiltered, bool debug) {
    render(points, debug);
    return {points};
  }
};

static void render_checked(const at::Tensor& points, bool checked) {
  at::Tensor moved = points + 1;
  if (checked) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
struct CheckedRender : torch::autograd::Function<CheckedRender> {
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, at::Tensor points,
                                                bool prefiltered, bool checked) {
    render_checked(points, checked);
    return {points};
  }
};

int main() {
  torch::Device device(torch::kCUDA);
  at::Tensor points = torch::zeros({100, 3}, torch::TensorOptions().device(device));
  for (int step = 0; step < 1000; ++step) {
    auto image = Render::apply(points, true, false);
    auto checked = CheckedRender::apply(points, false, true);
  }
}
