// What a copy call moves and in which direction, as far as its arguments show; shared by the rules about copies.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

enum class Direction { kUnknown, kHostToDevice, kDeviceToHost, kDeviceToDevice, kHostToHost };

struct Copy {
  Direction direction = Direction::kUnknown;
  int host_arg = kNoArg;  // the argument that is host memory
  long long bytes = facts::kNotConstant;
  bool stated = false;  // the call says the direction, not its pointers
  bool likely = false;  // only the device side is proved: the other side may be device memory, too
};

// The number of bytes is known and at most `most`: a loss, a norm, a flag.
bool is_scalar(const Copy& copy, double most_bytes);
// That number: scalar-readback's threshold.
double most_scalar_bytes(const Reporter& reporter);

Copy read_copy(const Program& program, const Located& where);

// Where the host memory of the copy, argument `host`, was made. Where the call says the direction, it is none of the
// GPU's memory, although the same variable holds that at other times.
program::Origins host_origins(const Program& program, const Located& where, const Copy& copy, const Value& host);

// What the call copies from where: the table's positions, moved by one where Thrust is given an execution policy.
CopyFact copy_of(const Event& event, const ApiFact& fact);

// Whether this very call waits: the table's answer with its exceptions for argument values applied.
bool waits(const Event& event, const ApiFact& fact);

// Whether it does nothing else: cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize.
bool is_explicit_wait(const Event& event, const ApiFact& fact);

// An argument's value, or the object's for kObject; null where there is none.
const Value* argument_value(const Event& event, int argument);

// The text of an argument, with parameters replaced by the arguments on this call path.
std::string argument_text(const Program& program, const Located& where, int argument);

// An argument's constant value, followed through variables and parameters; kNotConstant where it is not known.
long long argument_constant(const Program& program, const Located& where, int argument);

std::string human_bytes(long long bytes);

}  // namespace syncsniff::checks
