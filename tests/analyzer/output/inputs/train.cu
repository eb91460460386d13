#include "step.h"

int main() {
  float* loss = nullptr;
  for (int step = 0; step < 1000; ++step) {
	forward(step);
    cudaDeviceSynchronize();  // needed
    cudaDeviceSynchronize();
    copy("größe 📏", loss,
         sizeof(float));
    report(loss);  // syncsniff: allow(scalar-readback) printed for the plots
  }
	cudaFree(loss);
}
