// Copies whose direction stands in a struct.
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void convolve(cudaPitchedPtr volume, int n);

void filter(float* image, cudaPitchedPtr device, cudaExtent extent, int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    cudaMemcpy3DParms up = {0};
    up.srcPtr = make_cudaPitchedPtr(image, n * sizeof(float), n, n);
    up.dstPtr = device;
    up.extent = extent;
    up.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&up);  // expect-high [blocking-copy-in-loop] {{to the GPU}}
    convolve<<<n, 128>>>(device, n);
    cudaMemcpy3DParms within = {0};
    within.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3D(&within);
    // The same struct again, the other way.
    up.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&up);  // expect-high [blocking-copy-in-loop] {{from the GPU}}
  }
}

void with_driver(void* host, CUdeviceptr device, cudaPitchedPtr volume, int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = device;
    cuMemcpy2D(&copy);  // expect-high [blocking-copy-in-loop] {{to the GPU}}
    convolve<<<n, 128>>>(volume, n);
  }
}
