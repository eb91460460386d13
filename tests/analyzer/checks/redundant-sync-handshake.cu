// Between two waits another thread is let go, and enqueues: the second is needed.
#include <cuda_runtime.h>

#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>

__global__ void k(float* x, int n);

void hand_over(float* x, int n, int steps, std::atomic<int>& turn) {
  for (int step = 0; step < steps; ++step) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    turn.store(1);
    while (turn.load() != 0) {
    }
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

std::mutex mu;
pthread_mutex_t pm;
sem_t posted;
std::counting_semaphore<4> ready(0);
std::latch workers(2);
void elsewhere();
void by_way_of() { elsewhere(); }
void until_ready() { ready.acquire(); }

struct Hooks {
  std::function<void()> on;  // set by whoever loads us
};

void locks(float* x, int n, cudaStream_t s, int steps, Hooks& hooks, std::unique_ptr<int, void (*)(int*)> owner) {
  for (int step = 0; step < steps; ++step) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    mu.lock();
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    pthread_mutex_lock(&pm);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    sem_wait(&posted);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    ready.acquire();
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    workers.wait();
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    hooks.on();
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    owner.reset();
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    by_way_of();
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    until_ready();
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    char text[32];
    std::snprintf(text, sizeof(text), "%d", step);
    std::puts(text);
    cudaStreamSynchronize(s);  // expect-high [redundant-sync]
  }
}
