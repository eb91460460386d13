// Without callbacks that launch, a call of a library says nothing of what comes later: this loop is all that the program
// does on the GPU.
#include <cuda_runtime.h>
#include <vector>

void on_exit_of_library(void (*callback)());
void run_main_loop();

__global__ void convert(float* x, int n);

struct Image {
  float* host;
  float* device;
};
std::vector<Image> images;

void say_goodbye() {}

int main() {
  on_exit_of_library(say_goodbye);
  for (Image& image : images) {
    convert<<<1, 256>>>(image.device, 1024);
    cudaMemcpy(image.host, image.device, 4096, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
  run_main_loop();
}
