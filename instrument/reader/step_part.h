// Decides which part of a training step a call or a sample belongs to, by the framework's frames on its stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace syncsniff::reader {

enum class StepPart : uint8_t { kOther, kForward, kBackward, kOptimizer, kData, kLogging };
inline constexpr size_t kStepParts = 6;
const char* to_string(StepPart part);  // "the rest", "forward", "backward", "optimizer", "data loading", "logging"

// The part that one Python frame belongs to; kOther: no known part.
StepPart part_of_frame(std::string_view file, std::string_view function);

// How PyTorch's optimizer updates its parameters if this frame is on the stack: one by one, several in a launch
// (foreach, the default on a GPU), or all of them (fused). kOther: an optimizer that has neither (SparseAdam, LBFGS).
enum class Updates : uint8_t { kUnknown, kOneByOne, kForeach, kFused, kOther };
Updates updates_of_frame(std::string_view file, std::string_view function);

}  // namespace syncsniff::reader
