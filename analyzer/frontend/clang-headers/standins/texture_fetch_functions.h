// CUDA 13 no longer has this header; Clang 19 still includes it.
