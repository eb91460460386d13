// Matrices that are passed by value, each with its own number of rows and columns, and timers between the kernels.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

struct matrix {
  float* data;
  int rows, columns;
};
struct image {
  float* data;
  int width;
};

__global__ void raise(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] < 1e-9f ? 1e-9f : a[i];
}
__global__ void divide(float* a, float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] / b[i];
}

void raise_all(matrix a) {
  const int n = a.rows * a.columns;
  raise<<<(n + 127) / 128, 128>>>(a.data, n);
}
// The counts are those of `a`, which is as large as the others.
void divide_all(matrix a, matrix b, matrix c) {
  if (a.rows != b.rows || a.rows != c.rows || a.columns != b.columns || a.columns != c.columns) {
    fprintf(stderr, "dimensions do not agree\n");
    exit(1);
  }
  const int n = a.rows * a.columns;
  divide<<<(n + 127) / 128, 128>>>(a.data, b.data, c.data, n);
}
void divide_row(image a, matrix c) { divide<<<(a.width + 127) / 128, 128>>>(a.data, c.data, c.data, a.width); }

double now();
void start(double* times, int which) {
  if (!times) return;
  cudaDeviceSynchronize();
  times[which] -= clock();
}
float* fetch(matrix a);
void start_after(double* times, matrix a) {
  start(times, 0);
  times[1] += fetch(a)[0];
}

void update(matrix x, matrix z, image row, double* times, int steps) {
  for (int i = 0; i < steps; ++i) {
    raise_all(z);  // expect-high {{2 elementwise kernels in a row ('raise_all', 'divide_all')}} [unfused-elementwise-chain]
    start(times, 1);  // expect-low [sync-in-loop]
    divide_all(x, z, z);
    // Another structure's width is not known to be as large.
    raise_all(x);
    divide_row(row, x);
    // What nobody here defines may use the matrix.
    raise_all(z);
    start_after(times, z);  // expect-low [sync-in-loop]
    divide_all(x, z, z);
  }
}

int main(int argc, char** argv) {
  matrix x{nullptr, atoi(argv[1]), atoi(argv[2])}, z = x;
  image row{nullptr, atoi(argv[3])};
  cudaMalloc(&x.data, x.rows * x.columns * sizeof(float));
  cudaMalloc(&z.data, x.rows * x.columns * sizeof(float));
  cudaMalloc(&row.data, row.width * sizeof(float));
  update(x, z, row, argc > 4 ? new double[8]() : nullptr, 1000);
  cudaDeviceSynchronize();
}
