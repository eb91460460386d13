// Matches launches with recorded matrix products: those that its thread made during the library call belong to it.
#pragma once

#include <unordered_map>

#include "instrument/reader/trace.h"

namespace syncsniff::timeline {

using GemmOf = std::unordered_map<const trace::CallRecord*, const trace::GemmRecord*>;

GemmOf match_gemms(const reader::Trace& trace);

// FLOP: a multiplication and an addition count as two; of complex numbers as eight.
double flops_of(const trace::GemmRecord& gemm);
// Bytes moved if each factor is read and the result written only once; 0: the size of an element is not known.
double least_bytes_of(const trace::GemmRecord& gemm);

}  // namespace syncsniff::timeline
