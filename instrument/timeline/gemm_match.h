// Which launches belong to which recorded matrix product: those that its thread made while it was in the library.
#pragma once

#include <unordered_map>

#include "instrument/reader/trace.h"

namespace syncsniff::timeline {

using GemmOf = std::unordered_map<const trace::CallRecord*, const trace::GemmRecord*>;

GemmOf match_gemms(const reader::Trace& trace);

// A multiplication and an addition are two; of complex numbers eight.
double flops_of(const trace::GemmRecord& gemm);
// Each factor is read and the result written once at least; 0: the size of an element is not known.
double least_bytes_of(const trace::GemmRecord& gemm);

}  // namespace syncsniff::timeline
