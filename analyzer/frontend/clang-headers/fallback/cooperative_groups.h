// Cooperative groups as kernels use them: declarations only.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

struct thread_group {
  __device__ void sync() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  __device__ unsigned int thread_rank() const;
  __device__ bool is_valid() const;
};
struct thread_block : thread_group {
  __device__ dim3 group_index() const;
  __device__ dim3 thread_index() const;
  __device__ dim3 group_dim() const;
  __device__ dim3 dim_threads() const;
};
struct grid_group : thread_group {
  __device__ dim3 group_dim() const;
  __device__ dim3 dim_blocks() const;
  __device__ unsigned int block_rank() const;
  __device__ unsigned int num_blocks() const;
};
struct cluster_group : thread_group {
  __device__ unsigned int block_rank() const;
  __device__ unsigned int num_blocks() const;
  template <class T> __device__ T *map_shared_rank(T *, int) const;
};
struct coalesced_group : thread_group {
  template <class T> __device__ T shfl(T, int) const;
  template <class T> __device__ T shfl_down(T, int) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned int ballot(int) const;
};
template <unsigned int Size, class Parent = thread_block> struct thread_block_tile : thread_group {
  template <class T> __device__ T shfl(T, int) const;
  template <class T> __device__ T shfl_up(T, int) const;
  template <class T> __device__ T shfl_down(T, int) const;
  template <class T> __device__ T shfl_xor(T, int) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned int ballot(int) const;
  template <class T> __device__ unsigned int match_any(T) const;
  __device__ unsigned int meta_group_rank() const;
  __device__ unsigned int meta_group_size() const;
};

__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ cluster_group this_cluster();
__device__ coalesced_group coalesced_threads();
template <unsigned int Size, class Group> __device__ thread_block_tile<Size, Group> tiled_partition(const Group &);
template <class Group> __device__ thread_group tiled_partition(const Group &, unsigned int);
template <class Group> __device__ void sync(const Group &);

template <class T> struct plus { __device__ T operator()(T, T) const; };
template <class T> struct less { __device__ T operator()(T, T) const; };
template <class T> struct greater { __device__ T operator()(T, T) const; };
template <class T> struct bit_and { __device__ T operator()(T, T) const; };
template <class T> struct bit_or { __device__ T operator()(T, T) const; };
template <class T> struct bit_xor { __device__ T operator()(T, T) const; };
template <class Group, class T, class Op> __device__ T reduce(const Group &, T, Op &&);
template <class Group, class T, class Op> __device__ T inclusive_scan(const Group &, T, Op &&);
template <class Group, class T> __device__ T inclusive_scan(const Group &, T);
template <class Group, class T, class Op> __device__ T exclusive_scan(const Group &, T, Op &&);
template <class Group, class T> __device__ T exclusive_scan(const Group &, T);
template <class Group, class T, class U> __device__ void memcpy_async(const Group &, T *, const T *, const U &);
template <class Group> __device__ void wait(const Group &);

}  // namespace cooperative_groups
