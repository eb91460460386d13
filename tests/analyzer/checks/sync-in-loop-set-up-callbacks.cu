// A library's main loop runs the program's callbacks: loops in main() before it that fill arrays, each iteration its
// own, are set-up.
#include <cuda_runtime.h>
#include <vector>

// Of a library without source.
void on_display(void (*callback)());
void run_main_loop();

__global__ void convert(float* x, int n);
__global__ void shrink(cudaSurfaceObject_t to, cudaTextureObject_t from);
__global__ void draw(float* out, const float* image);
__global__ void step(float* x, int n);

struct Image {
  float* host;
  float* device;
  cudaMipmappedArray_t levels;
};
std::vector<Image> images;
float* screen;

// Works on memory that it makes for what it is given.
void make_levels(cudaMipmappedArray_t levels) {
  for (int level = 0; level < 8; ++level) {
    cudaArray_t from, to;
    cudaGetMipmappedArrayLevel(&from, levels, level);
    cudaGetMipmappedArrayLevel(&to, levels, level + 1);
    cudaResourceDesc input{}, output{};
    input.res.array.array = from;
    output.res.array.array = to;
    cudaTextureDesc texture{};
    cudaTextureObject_t in;
    cudaCreateTextureObject(&in, &input, &texture, nullptr);
    cudaSurfaceObject_t out;
    cudaCreateSurfaceObject(&out, &output);
    shrink<<<1, 256>>>(out, in);
    cudaDeviceSynchronize();  // expect-low [sync-in-loop] expect-evidence [sync-in-loop] {{before a library runs the callbacks}}
  }
}

void make_images() {
  for (Image& image : images) {
    cudaMemcpy(image.device, image.host, 4096, cudaMemcpyHostToDevice);  // expect-low [blocking-copy-in-loop]
    convert<<<1, 256>>>(image.device, 1024);
  }
  for (size_t i = 0; i < images.size(); ++i) {
    Image& image = images[i];
    make_levels(image.levels);
  }
}

void display() { draw<<<1, 256>>>(screen, images[0].device); }

// Each iteration goes on from the one before: no set-up, whatever comes later.
void settle() {
  for (int i = 0; i < 1000; ++i) {
    step<<<1, 256>>>(screen, 1024);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

int main() {
  on_display(display);
  settle();
  make_images();
  run_main_loop();
}
