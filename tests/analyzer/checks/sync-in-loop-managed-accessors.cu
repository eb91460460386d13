// Managed memory behind accessors: the host needs the wait wherever it looks at what they hand out.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void k(float* p);

struct Grid {
  float* cells;
  Grid() { cudaMallocManaged(&cells, 1024); }
  float& operator[](int i) { return cells[i]; }
  float* data() { return cells; }
  float* begin() { return cells; }
  float* end() { return cells + 256; }
};
struct Indexed : Grid {
  void tick() {
    k<<<1, 256>>>(cells);
    cudaDeviceSynchronize();
  }
};
struct Pointed : Grid {
  void tick() {
    k<<<1, 256>>>(cells);
    cudaDeviceSynchronize();
  }
};
struct Ranged : Grid {
  void tick() {
    k<<<1, 256>>>(cells);
    cudaDeviceSynchronize();
  }
};
struct Never : Grid {
  void tick() {
    k<<<1, 256>>>(cells);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
};

double indexed(int steps) {
  Indexed grid;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    grid.tick();
    sum += grid[i % 256];
  }
  return sum;
}
double pointed(int steps) {
  Pointed grid;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    grid.tick();
    sum += grid.data()[i % 256];
  }
  return sum;
}
double ranged(int steps) {
  Ranged grid;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    grid.tick();
    for (float cell : grid) sum += cell;
  }
  return sum;
}
void never(int steps) {
  Never grid;
  for (int i = 0; i < steps; ++i) grid.tick();
}
void written(float* managed, int steps, FILE* file) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(managed);
    cudaDeviceSynchronize();
    fwrite(managed, 4, 256, file);
  }
}

int main() {
  float* managed;
  cudaMallocManaged(&managed, 1024);
  written(managed, 1000, fopen("x", "wb"));
  never(1000);
  return indexed(1000) + pointed(1000) + ranged(1000) > 0;
}
