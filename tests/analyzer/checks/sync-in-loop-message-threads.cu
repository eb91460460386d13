// A thread that is sent messages and runs the network's layers: it uses the GPU for itself, whatever small loop main() has.
// A layer acts when the last of its inputs has been announced.
#include <cuda_runtime.h>
#include <pthread.h>

__global__ void multiply(float* x);
__global__ void add_bias(float* x);
__global__ void relu(float* x);
__global__ void pool(float* x);
__global__ void normalise(float* x);
__global__ void softmax(float* x);
__global__ void count(int* n);

struct Message {
  int kind;
};
Message* next_message();

class Layer {
 public:
  explicit Layer(int inputs) : inputs_(inputs) {}
  void reset() { received_ = 0; }
  bool forward(float* x) {
    received_++;
    if (received_ == inputs()) {
      multiply<<<1, 256>>>(x);
      add_bias<<<1, 256>>>(x);
      relu<<<1, 256>>>(x);
      cudaStreamSynchronize(0);  // expect-medium [sync-in-loop]
      return true;
    }
    return false;
  }

 private:
  int inputs() const { return inputs_; }
  int inputs_, received_ = 0;
};

class Trainer {
 public:
  static void* start(void* self) {
    static_cast<Trainer*>(self)->run();
    return nullptr;
  }
  void begin() { pthread_create(&thread_, nullptr, start, this); }
  void run() {
    for (bool done = false; !done;) {
      Message* message = next_message();
      if (message->kind == 0) {
        layer_.forward(x_);
        pool<<<1, 256>>>(x_);
        normalise<<<1, 256>>>(x_);
        softmax<<<1, 256>>>(x_);
      } else if (message->kind == 1) {
        cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
      } else if (message->kind == 2) {
        layer_.reset();
      } else {
        done = true;
      }
    }
  }

 private:
  pthread_t thread_;
  Layer layer_{2};
  float* x_ = nullptr;
};

// Launches one kernel, as a loader may: what it does is off the critical path.
void* load(void* given) {
  for (;;) {
    count<<<1, 1>>>(static_cast<int*>(given));
    cudaDeviceSynchronize();
    if (!next_message()) return nullptr;
  }
}

int main(int argc, char**) {
  Trainer trainer;
  trainer.begin();
  int* n;
  cudaMalloc(&n, sizeof(int));
  pthread_t loader;
  pthread_create(&loader, nullptr, load, n);
  for (int i = 0; i < 1000 * argc; ++i) count<<<1, 1>>>(n);
}
