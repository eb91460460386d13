// A local buffer that a method turns into a view of another one frees nothing at its end.
#include <cuda_runtime.h>

__global__ void step(float* a, int n);

struct Buffer {
  Buffer() {}
  ~Buffer() { release(); }
  void release() {
    if (is_view) return;
    if (is_made) cudaFree(data);
    is_made = false;
  }
  int look_at(Buffer& whole, int n, int offset) {
    is_view = true;
    data = whole.data + offset;
    is_made = true;
    return offset + n;
  }
  void look_at_some(Buffer& whole, int n) {
    if (n == 0) return;
    is_view = true;
    data = whole.data;
    is_made = true;
  }
  void allocate(int n) {
    is_view = false;
    cudaMalloc(reinterpret_cast<void**>(&data), n * sizeof(float));
    is_made = true;
  }
  float* data = nullptr;
  bool is_view = false, is_made = false;
};

void with_views(Buffer& scratch) {
  Buffer a, b;
  int at = a.look_at(scratch, 100, 0);
  at = b.look_at(scratch, 100, at);
  step<<<1, 256>>>(a.data, at);
}

void with_some(Buffer& scratch, int n) {
  Buffer view;  // expect-medium [alloc-in-loop]
  view.look_at_some(scratch, n);
  step<<<1, 256>>>(view.data, 100);
}

void with_memory(Buffer& scratch) {
  Buffer own;
  own.look_at(scratch, 100, 0);
  own.allocate(100);  // expect-high [alloc-in-loop]
  step<<<1, 256>>>(own.data, 100);
}

// Left early, it ends as what it was before.
void with_early_end(Buffer& scratch, int n) {
  Buffer view;
  view.allocate(100);  // expect-high [alloc-in-loop]
  step<<<1, 256>>>(view.data, n);
  if (n > 2) return;
  view.look_at(scratch, 100, 0);
}

// What another name does to it is not followed.
void with_another_name(Buffer& scratch) {
  Buffer view;  // expect-medium [alloc-in-loop]
  view.look_at(scratch, 100, 0);
  Buffer& same = view;
  same.allocate(100);  // expect-high [alloc-in-loop]
  step<<<1, 256>>>(view.data, 100);
}

int main(int argc, char** argv) {
  Buffer scratch;
  scratch.allocate(1000);
  for (int i = 0; i < 1000; ++i) {
    with_views(scratch);
    with_some(scratch, argc);
    with_memory(scratch);
    with_early_end(scratch, argc);
    with_another_name(scratch);
  }
}
