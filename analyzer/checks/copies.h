// What a copy call moves and in which direction, as far as its arguments show; shared by the rules about copies.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

enum class Direction { kUnknown, kHostToDevice, kDeviceToHost, kDeviceToDevice, kHostToHost };

struct Copy {
  Direction direction = Direction::kUnknown;
  int host_arg = kNoArg;  // the argument that is host memory
  long long bytes = facts::kNotConstant;
  bool stated = false;  // the direction comes from the call's kind argument, not from its pointers
  bool likely = false;  // only the device side is proved; the other side may also be device memory
};

// The number of bytes is known and at most `most`: a loss, a norm, a flag.
bool is_scalar(const Copy& copy, double most_bytes);
// The `most_bytes` for is_scalar(): the threshold of scalar-readback.
double most_scalar_bytes(const Reporter& reporter);

Copy read_copy(const Program& program, const Located& where);

// Where the copy's host memory, argument `host`, was allocated. If the call states its direction, origins in device
// memory are left out: the variable holds device memory only at other times.
program::Origins host_origins(const Program& program, const Located& where, const Copy& copy, const Value& host);

// The copy as the table describes it: the positions of its arguments, shifted by one if Thrust is given an execution
// policy.
CopyFact copy_of(const Event& event, const ApiFact& fact);

// Whether this particular call waits: the table's answer, including its exceptions for argument values.
bool waits(const Event& event, const ApiFact& fact);

// Whether waiting is all that the call does: cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize.
bool is_explicit_wait(const Event& event, const ApiFact& fact);

// An argument's value, or the object's if `argument` is kObject; nullptr if the call has no such argument.
const Value* argument_value(const Event& event, int argument);

// The text of an argument, with parameters replaced by the arguments on this call path.
std::string argument_text(const Program& program, const Located& where, int argument);

// An argument's constant value, followed through variables and parameters; kNotConstant where it is not known.
long long argument_constant(const Program& program, const Located& where, int argument);

std::string human_bytes(long long bytes);

}  // namespace syncsniff::checks
