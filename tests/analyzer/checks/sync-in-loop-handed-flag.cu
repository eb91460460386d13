// A flag that callers hand on: what the training loop gives decides, through however many functions.
#include <cuda_runtime.h>

__global__ void step_kernel(float* x, int n);

#define CHECKED(call, debug) \
  call;                      \
  if (debug) cudaDeviceSynchronize()

static void render(float* x, int n, bool debug) {
  step_kernel<<<1, 256>>>(x, n);
  if (debug) cudaDeviceSynchronize();
}
static void forward(float* x, int n, bool prefiltered, bool debug) { render(prefiltered ? x : x + n, n, debug); }
static void pass(float* x, int n, int mode, bool debug = false) { forward(x, n, mode == 1, debug); }

void flag_is_off(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) forward(x, n, true, false);
}
void flag_is_off_further_out(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) pass(x, n, 1, false);
}

static void render_checked(float* x, int n, int wait) {
  CHECKED((step_kernel<<<1, 256>>>(x, n)), wait);  // expect-high [sync-in-loop]
}
static void forward_checked(float* x, int n, int wait) { render_checked(x, n, wait); }
void flag_is_on(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) forward_checked(x, n, 1);
}

// The function turns the flag itself.
static void render_forced(float* x, int n, int checks) {
  step_kernel<<<1, 256>>>(x, n);
  if (checks) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
static void forward_forced(float* x, int n, int checks) {
  checks = 1;
  render_forced(x, n, checks);
}
void flag_is_changed_on_the_way(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) forward_forced(x, n, 0);
}

// A function that only waits, behind a flag handed on to it.
static void wait_if(int wanted) {
  if (wanted) cudaDeviceSynchronize();
}
static void finish(float* x, int n, int wanted) {
  step_kernel<<<1, 256>>>(x, n);
  wait_if(wanted);
}
void waiting_function_is_turned_off(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) finish(x, n, 0);
}
static void finish_always(float* x, int n, int wanted) {
  step_kernel<<<1, 256>>>(x, n);
  wait_if(wanted);  // expect-high [sync-in-loop]
}
void waiting_function_is_turned_on(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) finish_always(x, n, 1);
}
