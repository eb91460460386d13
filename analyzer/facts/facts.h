// What one translation unit says, as plain data: functions, their events in source order, loops and guards, and how
// pointers and tensors flow. No Clang types and no judgement: program/ links these facts, checks/ judge them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <vector>

#include "analyzer/facts/list.h"
#include "analyzer/facts/text.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {

// A range of source, in the user's file (macro arguments and expansions resolved to the line the user wrote).
struct Place {
  Text file;
  unsigned line = 0, column = 0, end_line = 0, end_column = 0;
  unsigned offset = 0, length = 0;  // bytes; length 0 where the text cannot be edited
};

// What a pointer, reference, function pointer, device or tensor expression may hold.
struct Value {
  enum class Kind : uint8_t {
    kUnknown,
    kNull,
    kConstant,    // text: an enumerator or literal
    kNode,        // what the variable, field, parameter or return value `node` holds
    kObject,      // the address of the variable `node` itself; `memory` says where it lives
    kContent,     // the content of the memory that operand 0 points to; text: the key it is stored under (keys.h)
    kAllocation,  // memory of kind `memory`, made here
    kCall,        // the result of event `event` of the same function
    kFunction,    // the address of function `node`
    kAny,         // one of the operands; text: the key they are stored under (keys.h)
    kTensor,      // a tensor on device `device`; operands: what it was computed from
    kPack,        // a tuple or pair; operands: its elements
    kElement,     // element `event` of the tuple or pair that operand 0 is
  };
  // kUnnamed: options that name no device. kNamed: the device that operand 0 (a device or options) names, or operand
  // 1's if it names none. kText: the device that operand 0, a string that is no literal, spells. kExample: the device
  // of the members that examples are made of (operand 0, a field of torch::data::Example), else the CPU.
  enum class Device : uint8_t { kUnknown, kCpu, kCuda, kMaybeCuda, kFromOperands, kUnnamed, kNamed, kText, kExample };
  Kind kind = Kind::kUnknown;
  MemoryKind memory = MemoryKind::kUnknown;
  Device device = Device::kUnknown;
  bool pinned = false;         // a tensor in pinned memory
  bool new_memory = false;     // a tensor in memory of its own: pinned operands do not make it pinned
  bool claims_pinned = false;  // a tensor over memory that it does not own, whose options say pinned
  int event = -1;
  Text node;
  Text text;
  Place place;
  List<Value> operands;
};

// Why a region runs less often than the code around it.
enum class Gate : uint8_t {
  kNone,        // a loop body, or a condition that says nothing about how often it holds
  kModulo,      // step % n == 0, a counter that starts over, a clock that has advanced: one iteration in many
  kLazy,        // if (!ptr) allocate; grow-only
  kError,       // an error is being handled
  kNever,       // constant false
  kOnCpu,       // the tensors live on the CPU: nothing in the region is GPU work
  kDebug,       // on request: by the environment, or by a flag that another thread or a signal sets
  kOnce,        // the region runs in the first or last iteration only, or leaves the loop
  kValidation,  // LibTorch computes no gradients, or the network is in evaluation mode
  kBest,        // a value better than all before it: if (loss < best) { best = loss; ... }
  kLog,         // the region only writes a message, where a library says that it is wanted
};

// What a region's gate depends on but this function does not show. Answered when all units are known.
struct Question {
  Text function;             // USR: the region is gated if this function's answer is rare
  bool answer = true;        // the answer that lets the region run
  bool overridable = false;  // a virtual function: the answers of its overriders count
  bool compared = false;     // the function's value is compared with an interval: gated if the value is a clock reading
  Text flag;                 // the region is gated if nothing else changes this variable or field
  bool turned_to = false;    // the value that the region sets the flag to, after which it does not run again
  bool off = false;          // the region does not set the flag: gated if it always keeps its initial value
  bool size = false;         // the flag is a number: gated if nothing sets it to zero again
  bool of_object = false;    // with `off`: constructors and their callers decide the initial value
  Text by;                   // the function that sets the flag for the region; its own writes do not count as a reset
  bool open() const { return !function.empty() || !flag.empty(); }
};

// One operand of a region's condition, as the source names it. frequency/ decides what a name says about how often the
// region runs.
struct NamedTerm {
  Text names;             // the names in it, in words: `net.runVal` is "net run val"
  bool holds = true;      // the region runs where the operand is true
  bool alone = false;     // the operand is one variable, one field or one call without arguments
  bool may_turn = false;  // `alone`, and the region or a function that it calls may change the value
};

struct Guard {
  Gate gate = Gate::kNone;
  long period = 0;   // kModulo: n where it is constant, else 0
  int once_in = -1;  // kOnce: the loop in one iteration of which the region runs; -1: the innermost
  Question question;
  List<NamedTerm> named;
};

// What a condition, or what a function returns, is computed from: calls (events of the function), variables and fields.
struct ComputedFrom {
  List<int> events;
  List<Text> nodes;
  bool finiteness = false;  // it tests whether numbers are finite: isnan(x), x != x
};

inline constexpr long long kNotConstant = INT64_MIN;

// How a condition compares a parameter that keeps its value, or a field of the method's object, with a constant.
struct ParameterTest {
  enum class Is : uint8_t { kEqual, kLess, kGreater };
  int parameter = -1;  // -1: a field
  Text field;
  long long value = 0;
  Is is = Is::kEqual;
  bool holds = true;                  // false: the branch runs where the comparison is false
  long long left_out = kNotConstant;  // the default argument; kNotConstant where there is none
  bool pointer = false;               // it is a pointer that is tested for null: value is 0

  bool passes(long long given) const {
    const bool is_so = is == Is::kEqual ? given == value : is == Is::kLess ? given < value : given > value;
    return is_so == holds;
  }
};
// A disjunction: the branch runs if one of these tests passes.
struct ParameterTests {
  List<ParameterTest> any;
};

// A field's value where it is known.
struct FieldValue {
  Text field;  // node
  long long value = 0;
};

// A flag of a class or a namespace (a bool or a whole number), or the result of a bool function, and whether it is
// true.
struct FlagValue {
  Text flag;  // node key
  bool value = false;
};

// An assignment to such a flag, or a return of such a result. `value`: 0 or 1, whether it is true; -1: unknown.
struct FlagWrite {
  Text flag;
  int region = 0;
  int value = -1;
};

struct Region {
  enum class Kind : uint8_t { kFunction, kLoop, kBranch };
  Kind kind = Kind::kFunction;
  int parent = -1;
  Gate gate = Gate::kNone;
  long period = 0;
  int once_in = -1;
  Question question;
  List<NamedTerm> named;       // of a branch: the operands of its condition
  long trips = 0;              // of a loop, where constant
  bool multiplies = false;     // of a loop: its counter is doubled, halved or the like in each iteration
  List<ParameterTests> tests;  // of a branch: it runs only if the caller's values pass all of them
  long deeper_than = 0;        // the region runs only while some count is above this; 0: the condition tests no count
  Place place;                 // the head: `for (...)`, `if (...)`
  Place whole;                 // head and body
  Text text;                   // the head's text
  Text condition;              // the condition alone
  bool bare = false;           // braces alone, or if (true): runs as often as the code around it
  bool is_switch = false;      // a switch: only one of its statements runs
  // A switch over a variable that its own cases set: each case runs in one of many iterations. Or a branch that creates
  // the object that its condition found missing.
  bool turns_state = false;
  bool forever = false;          // while (true)
  Text collection;               // the text of what it iterates over: range-for, begin() to end()
  bool over_tensors = false;     // range-for over tensors, parameters, pointers or buffers
  bool over_dimension = false;   // counts up to a dimension of a tensor
  bool neighbour_index = false;  // uses i - 1 or i + 1: an iteration accesses another iteration's element
  bool unit_step = true;         // counts by one, or iterates over a range
  // Of a loop with lambdas: the nodes of the variables that are others, or have other values, in each iteration. A
  // lambda that captures one names it by its node.
  List<Text> varying;
  bool carries_value = false;  // a pointer, tensor or object from outside the loop is replaced in the body
  ComputedFrom asks;           // of a loop or an if statement's branch: what its condition is computed from
  List<FlagValue> ends_if;     // of a loop: it ends as soon as one of these flags has this value
  bool leaves = false;         // of a branch: it ends in a jump, a throw, or a call that does not return
};

// A whole number or an address as a sum of products of symbols (sums.h). "{k}" is the function's parameter k.
struct Product {
  long long factor = 1;
  std::vector<Text> of;  // sorted
};
struct Sum {
  std::vector<Product> products;  // sorted; none: zero
};

// What a kernel does to the memory that a pointer parameter points to.
struct KernelParam {
  bool reads = false, writes = false;  // each thread at its own index
  bool elsewhere = false;              // reads elements other than the thread's own (too): bias[i % n]
  Sum at;                              // the thread's own index, in bytes
};

// What the body of a __global__ function is (kernel_bodies.h).
struct KernelBody {
  bool elementwise = false;  // each thread writes its own elements alone, and threads do not wait for each other
  std::vector<int> updates;  // of any kernel: the parameters whose memory it reads and writes: w[i] -= rate * g[i]
  std::vector<int> sums;     // of `updates`, those that it only adds to
  // Of any kernel: the parameters that say which slice of its arrays it writes, and those of them that also say which
  // slice it reads of the arrays that it writes (kernel_slices.h).
  std::vector<int> slices, own_slices;
  std::vector<KernelParam> params;
  struct Bound {
    Sum index, limit;  // if (index < limit)
  };
  std::vector<Bound> bounds;  // none: only the size of the grid limits the index

  // A loop in which each thread goes through neighbouring elements of global memory by itself: elements[t * chunk + k].
  struct Walk {
    Place place, loop;
    Text text;            // the access
    Sum apart;            // distance in bytes between what neighbouring threads access at one time
    long long bytes = 0;  // that one thread goes through if the loop's trip count is constant, else 0
  };
  std::vector<Walk> walks;

  // Threads write shared memory at their own index (or one thread writes), and other threads read it with no barrier in
  // between.
  struct Unsynced {
    Place write, read;
    Text array;
    Text write_text, read_text;
    bool by_one_thread = false;
  };
  std::vector<Unsynced> unsynced;
};

// What an event calls.
struct Callee {
  Text id;                     // its name in the tables, or its USR
  Text name;                   // for display
  Text of_class;               // of a method of a base class: the USR of the class of the object that it is called on
  bool is_virtual = false;     // the object's class decides which function runs
  bool indirect = false;       // through a pointer: the event's object holds the function value
  bool harmless = false;       // declared by the C or C++ library: puts nothing on the GPU
  bool own_allocator = false;  // of a container: its allocator is not the library's own, so its cost is not known
};

// One argument of a call, default arguments left out.
struct Argument {
  Value value;
  Text text;
  Text node;                          // the variable or field that the callee may write through it
  long long constant = kNotConstant;  // the evaluated value; of a struct that describes a copy, its cudaMemcpyKind
  bool read_only = false;             // it is passed as a pointer or reference to const
};
inline auto values(const List<Argument>& args) { return std::views::transform(args, &Argument::value); }
inline bool hand_function(const List<Argument>& args) {
  return std::ranges::any_of(values(args), [](const Value& value) { return value.kind == Value::Kind::kFunction; });
}

// The stream that a call works on.
struct StreamUse {
  Text text;              // of the argument; empty: the default stream
  Text node;              // the variable or field that the argument is read from
  bool by_turns = false;  // each call of the function uses another of several streams: streams[turn_++ % n]
  bool own = false;       // of a launch: the innermost loop changes its stream and its part of an array
};

// What the loops around a call change about it. Loops are regions of the function.
struct LoopUse {
  List<int> varies_with;       // loops whose induction variable picks a pointer or tensor argument
  List<int> into_varies_with;  // loops whose induction variable picks the element that the result is stored in
  List<int> keeps_new;         // loops that make an argument anew in each iteration and add it to a list
  List<int> carries_in;        // loops in which this call stores into the same memory, or tensor, in all iterations
  // Whole numbers that pick what a call works on. picked_by: this function's parameters that pick a pointer or tensor
  // argument. index_args: pairs of an argument and a loop's region, if the argument passes on the loop's induction
  // variable; of a launch and of a call of the project also the pointers and objects that the loop picks, with kObject
  // for the one that the method is called on.
  List<int> picked_by, index_args;
};

// Where a call stands in the text of its function.
struct Statement {
  Place place;  // the full expression statement (with its `;`) if deleting it loses only this call
  Text text;    // as written in the source
  bool in_macro = false;
  // Only plain code (plain.h) is between the events of one run; 0: in no run. `position` counts the run's statements.
  int run = 0, position = 0;
};

// Something that a function does and that matters to a GPU.
struct Event {
  enum class Kind : uint8_t {
    kApi,       // a function that the API tables describe
    kCall,      // a function of the project or an unknown one
    kLaunch,    // kernel<<<...>>>; callee: the kernel
    kTensor,    // a LibTorch operation; callee: its name in the tables
    kHostRead,  // the host reads memory through a pointer (object: the pointer)
    kStore,     // the host writes memory through a pointer (object: the pointer)
    kReturn,    // args[0]
    kElapsed,   // the difference of two clock readings: args[0] is the later one, args[1] the earlier; calls or nodes
  };
  Kind kind = Kind::kCall;
  int region = 0;
  int order = 0;  // number of flows that the unit had recorded before the event; an assignment recorded later comes
                  // after it
  Place place;
  Text text;  // the call as written, blanks squeezed
  Callee callee;
  Value object;  // of a method call: the object; of an indirect call: the function value that is called
  List<Argument> args;
  List<Sum> arg_sums;     // of calls except those of tensors, C and C++ libraries; with default arguments
  List<Sum> launched_on;  // of a launch: grid, block, stream; of a method or operator call: the object
  Text key;               // of a call: the literal or enumerator among its arguments (keys.h)
  Text into;              // what a call's or construction's value is stored in; of a destructor call: its variable
  Value result;           // of a tensor operation: the device that it runs on and that holds its result
  long long result_bytes = kNotConstant;  // of a conversion that copies: bytes of the result
  StreamUse stream;
  LoopUse loops;
  Statement statement;
  bool is_volatile = false;  // kHostRead
  List<FieldValue> left;     // of a destructor call: what is known of the variable's fields (left_fields.h)
};
inline constexpr const char* kAsynchronousPolicy = "par_nosync";  // text of a policy that does not wait

inline constexpr const char* kDeviceSystem = "device_system";  // text of Thrust's GPU policy that waits

inline constexpr const char* kAnySystem =
    "any_system";  // text of an iterator that has no memory and works on host and device alike

// Text of a pointer that is passed to a Thrust algorithm: Thrust takes it for host memory unless an execution policy
// says otherwise.
inline constexpr const char* kHostSystem = "host_system";

// A flow of a value into a variable, field, parameter or return value.
struct Flow {
  Text into;  // node key
  Value value;
  Place place;
  int function = -1;  // index in UnitFacts::functions; -1: namespace scope
  int region = 0;     // of that function
};

// What a condition or an assignment says about flags and states: whole numbers that a class or a namespace holds.
struct StateTerm {
  enum class Kind : uint8_t {
    kUnknown,
    kConstant,   // value
    kField,      // field `name` of `object`; values: all values of an enumeration
    kParameter,  // parameter `value` of the function
    kAnswer,     // the result of the call that event `value` records
    kNot,
    kAnd,
    kOr,
    kEqual,
    kLess,
    kLessOrEqual,
  };
  Kind kind = Kind::kUnknown;
  long long value = 0;
  Text name;
  Text object;  // as in sums.h; empty: a variable of a namespace
  std::vector<long long> values;
  std::vector<StateTerm> operands;
};

// One step of a function that writes or tests such a state. Steps that concern no state are left out.
struct StateStep {
  enum class Kind : uint8_t {
    kEvent,   // a call or a copy
    kWrite,   // target = value
    kChoice,  // `first` where the condition (in `value`) holds, `second` where it does not
    kRepeat,  // a loop: `first`, any number of times
    kLeave,   // returns
  };
  Kind kind = Kind::kEvent;
  int event = -1;
  StateTerm target, value;
  std::vector<StateStep> first, second;
};

struct Function {
  Text usr;
  Text name;  // qualified, for display
  Place place;
  std::vector<Text> params;  // node keys
  std::vector<bool> param_is_pointer;
  std::vector<Text> overrides;  // USRs of overridden methods
  std::vector<Region> regions;  // regions[0] is the function itself
  std::vector<Event> events;
  bool is_kernel = false;
  KernelBody kernel;
  bool is_main = false;
  bool is_adopted = false;          // of a foreign header library (adopted_headers.h): its callers get findings
  Text resumed_as;                  // of a coroutine: the callee of the events that resume it (coroutines.h)
  int resumed_loop = -1;            // of a coroutine: the loop in which it is suspended; a resumption runs an iteration
  List<int> labels;                 // events before each label: with jumps, source order is not execution order
  bool is_static_or_local = false;  // every caller is in the program
  bool class_is_in_source = false;  // not virtual, and of a class that the unit's own file defines
  Text owner;                       // lambda: the function that contains it
  Guard when_true, when_false;      // of a bool function: why this answer is rare
  ComputedFrom returns;             // what its value is computed from
  List<FlagWrite> flag_writes;      // ending_flags.h
  bool returns_time = false;        // its value is a clock reading
  Text returns_time_if;             // USR: its value is a clock reading if this function's is
  std::vector<StateStep> states;    // states.h; empty: it neither writes nor tests a state
  StateTerm state_answer;           // of a function that consists of one return statement: the value returned
};

// A flag (a bool or whole number of a class or namespace): the values that it is set to after its initialization and,
// of a bool of an object, the values that constructors initialize it with.
struct Turn {
  struct Given {
    Text function;  // the constructor whose parameter initializes the flag
    unsigned parameter = 0;
    long long left_out = kNotConstant;  // the default argument
  };
  struct Setter {
    Text function;  // empty: no function
    bool to_true = false, to_false = false;
    bool to_zero = false;  // of a number: a write that may make it zero (may_be_zero() in made_once.h)
  };
  Text flag;
  List<Setter> setters;                            // other than constructors
  bool begins_true = false, begins_false = false;  // not from a parameter
  List<Given> begins_as;
};

// The content of a source of the project when it was read.
struct SourceContent {
  Text file;          // symbolic links resolved, as in Place
  uint64_t hash = 0;  // content_hash()
};

// A function that a header of the project declares and a unit calls without having seen its body.
struct Undefined {
  Text usr, name;
  Text header;  // symbolic links resolved, as in Place
};

// A foreign header library that puts work on the GPU and is too large to be read (adopted_headers.h).
struct UnreadLibrary {
  Text folder;  // with a '/' at its end
  unsigned headers = 0;
  uint64_t bytes = 0;
};

struct UnitFacts {
  Text file;
  std::vector<SourceContent> sources;  // the unit and the project's headers that it includes
  std::vector<Function> functions;
  std::vector<Flow> flows;
  std::vector<Turn> turns;
  std::vector<Undefined> undefined;  // at most one per header
  std::vector<UnreadLibrary> unread_libraries;
  std::vector<Text> errors;  // first diagnostics of error level, as one line each
  unsigned error_count = 0;
  bool fatal = false;                 // a header was missing: bodies may be empty
  bool no_code = false;               // none of its functions was read
  bool mentions_cuda_device = false;  // LibTorch: kCUDA, .cuda(), "cuda", c10::cuda; not is_available() alone
  bool per_thread_default_stream = false;
};

}  // namespace syncsniff::facts
