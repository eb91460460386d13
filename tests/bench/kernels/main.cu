// The kernels beside their peers in C++ alone. bench.py runs these tables too, and the peers in PyTorch after them.
#include "benches.h"

int main() { return bench::run_all(); }
