// A loop over all parts but the last one, where there is one part.
#define PARTS 1
constexpr int kMore = 9;

__global__ void step(float* part);

void train(float** parts, int steps) {
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < PARTS - 1; ++i) {
      step<<<1, 256>>>(parts[i]);
      cudaDeviceSynchronize();
    }
    for (int i = PARTS - 2; i >= 0; --i) {
      step<<<1, 256>>>(parts[i]);
      cudaDeviceSynchronize();
    }
    for (int i = 0; i < kMore - 1; ++i) {  // expect-high [per-tensor-loop]
      step<<<1, 256>>>(parts[i]);
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
    step<<<1, 256>>>(parts[PARTS - 1]);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

int main() {
  float* parts[9];
  for (float*& part : parts) cudaMalloc(&part, 1024);
  train(parts, 1000);
}
