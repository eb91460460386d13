// What one translation unit says, as plain data: functions, their events in source order, loops and guards,
// and how pointers and tensors flow. No Clang types, no opinions: program/ links these, checks/ judge.
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
    kObject,      // the address of the variable `node` itself; memory tells where that lives
    kContent,     // what stands in the memory that operand 0 points to; text: under this key (keys.h)
    kAllocation,  // memory of kind `memory`, made here
    kCall,        // the result of event `event` of the same function
    kFunction,    // the address of function `node`
    kAny,         // one of the operands; text: they are kept under this key (keys.h)
    kTensor,      // a tensor on device `device`; operands: what it was computed from
    kPack,        // a tuple or pair; operands: its elements
    kElement,     // element `event` of the tuple or pair that operand 0 is
  };
  // kUnnamed: options that name none. kNamed: what operand 0, a device or options, names; operand 1 where it names
  // none. kText: what operand 0, a string that is no literal, spells. kExample: as what examples are made of (operand
  // 0, a field of torch::data::Example), else the CPU.
  enum class Device : uint8_t { kUnknown, kCpu, kCuda, kMaybeCuda, kFromOperands, kUnnamed, kNamed, kText, kExample };
  Kind kind = Kind::kUnknown;
  MemoryKind memory = MemoryKind::kUnknown;
  Device device = Device::kUnknown;
  bool pinned = false;         // a tensor in pinned memory
  bool new_memory = false;     // a tensor in memory of its own, of which the operands' being pinned says nothing
  bool claims_pinned = false;  // a tensor over memory of somebody else's, whose options say pinned
  int event = -1;
  Text node;
  Text text;
  Place place;
  List<Value> operands;
};

// Why a region runs less often than what is around it.
enum class Gate : uint8_t {
  kNone,        // a loop body, or a condition that says nothing
  kModulo,      // step % n == 0, a counter that starts over, a clock that has gone on: one iteration in many
  kLazy,        // if (!ptr) allocate; grow-only
  kError,       // an error is being handled
  kNever,       // constant false
  kOnCpu,       // the tensors live on the CPU: nothing in it is the GPU's work
  kDebug,       // asked for: by the environment, or by a flag that another thread or a signal sets
  kOnce,        // the first or last iteration, or leaves the loop
  kValidation,  // LibTorch computes no gradients, or the network is in evaluation mode
  kBest,        // a value beyond all before it: if (loss < best) { best = loss; ... }
};

// What a region's gate hangs on that this function does not show; answered when all units are known.
struct Question {
  Text function;             // USR: a gate where this function's answer is rare
  bool answer = true;        // the answer that lets the region run
  bool overridable = false;  // a virtual function: what its overriders answer counts
  bool compared = false;     // the function's value is held against an interval: a gate where it is read off a clock
  Text flag;                 // a gate where nobody but the region turns this variable or field
  bool turned_to = false;    // what the region turns it to, so that it runs no more
  bool off = false;          // the region turns nothing: a gate where nobody turns the flag from what it begins with
  bool size = false;         // the flag is a number: a gate where nobody makes it zero again
  bool of_object = false;    // off: and what it begins with is for constructors and their callers to say
  Text by;                   // the function that turns the flag for the region: what it writes turns nothing back
  bool open() const { return !function.empty() || !flag.empty(); }
};

// One operand of a region's condition, as the source names it. What a name says of how often the region runs is for
// frequency/ to tell.
struct NamedTerm {
  Text names;             // the names in it, in words: `net.runVal` is "net run val"
  bool holds = true;      // the region runs where the operand is true
  bool alone = false;     // the operand is one variable, one field or one call without arguments
  bool may_turn = false;  // `alone`, and the region or what it calls may give it another value
};

struct Guard {
  Gate gate = Gate::kNone;
  long period = 0;   // kModulo: n where it is constant, else 0
  int once_in = -1;  // kOnce: the loop that it is one iteration of; -1: the innermost
  Question question;
  List<NamedTerm> named;
};

// What a condition, or what a function returns, is computed from: calls (events of the function), variables and fields.
struct ComputedFrom {
  List<int> events;
  List<Text> nodes;
  bool finiteness = false;  // it asks whether numbers are finite: isnan(x), x != x
};

inline constexpr long long kNotConstant = INT64_MIN;

// What a condition asks of a parameter that keeps its value, or of a field of the method's object: how it compares with
// a constant.
struct ParameterTest {
  enum class Is : uint8_t { kEqual, kLess, kGreater };
  int parameter = -1;  // -1: a field
  Text field;
  long long value = 0;
  Is is = Is::kEqual;
  bool holds = true;                  // false: the branch runs where it is not so
  long long left_out = kNotConstant;  // the default argument; kNotConstant where there is none
  bool pointer = false;               // whether it is null is asked: value is 0

  bool passes(long long given) const {
    const bool is_so = is == Is::kEqual ? given == value : is == Is::kLess ? given < value : given > value;
    return is_so == holds;
  }
};
// The branch runs where one of these passes.
struct ParameterTests {
  List<ParameterTest> any;
};

// A field's value where it is known.
struct FieldValue {
  Text field;  // node
  long long value = 0;
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
  bool multiplies = false;     // of a loop: its counter doubles, or halves, or the like
  List<ParameterTests> tests;  // of a branch: it runs only where what the call gives passes all of them
  long deeper_than = 0;        // runs only while some count is above this; 0: the condition says nothing of the sort
  Place place;                 // the head: `for (...)`, `if (...)`
  Place whole;                 // head and body
  Text text;                   // the head's text
  Text condition;              // the condition alone
  bool bare = false;           // braces alone, or if (true): runs whenever what stands around it does
  bool is_switch = false;      // a switch: only one of its statements runs
  // A switch over a variable that its own cases set: each case runs in one of many rounds. Or a branch that creates the
  // object that its condition found missing.
  bool turns_state = false;
  bool forever = false;          // while (true)
  Text collection;               // the text of what it runs over: range-for, begin() to end()
  bool over_tensors = false;     // range-for over tensors, parameters, pointers or buffers
  bool over_dimension = false;   // counts up to a dimension of a tensor
  bool neighbour_index = false;  // uses i - 1 or i + 1: an iteration looks at another's
  bool unit_step = true;         // counts by one, or goes through a range
  bool carries_value = false;    // a pointer, tensor or object from outside the loop is replaced in the body
  ComputedFrom asks;             // of a loop or an if statement's branch: its condition
  bool leaves = false;           // of a branch: it ends in a jump, a throw, or a call that does not return
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
  bool elsewhere = false;              // reads other elements (too): bias[i % n]
  Sum at;                              // the thread's own index, in bytes
};

// What the body of a __global__ function is (kernel_bodies.h).
struct KernelBody {
  bool elementwise = false;  // each thread writes its own elements alone, and threads do not wait for each other
  std::vector<int> updates;  // of any kernel: the parameters whose memory it reads and writes: w[i] -= rate * g[i]
  std::vector<int> sums;     // those of them that it only adds to
  // Of any kernel: the numbers that say which slice of its arrays it writes, and those of them whose slice it stays in
  // where it reads what it writes (kernel_slices.h).
  std::vector<int> slices, own_slices;
  std::vector<KernelParam> params;
  struct Bound {
    Sum index, limit;  // if (index < limit)
  };
  std::vector<Bound> bounds;  // none: as far as the grid goes

  // A loop in which each thread goes through neighbouring elements of global memory by itself: elements[t * chunk + k].
  struct Walk {
    Place place, loop;
    Text text;            // the access
    Sum apart;            // bytes between what neighbouring threads touch at one time
    long long bytes = 0;  // that one thread goes through where the loop's turns are constant, else 0
  };
  std::vector<Walk> walks;

  // Threads write shared memory at their own index, or one thread writes, and others read that with no barrier between.
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
  Text name;                   // for people
  Text of_class;               // of a base's method: the USR of the class whose object it is called on
  bool is_virtual = false;     // the object's class decides which function runs
  bool indirect = false;       // through a pointer: the event's object holds the function value
  bool harmless = false;       // declared by the C or C++ library: puts nothing on the GPU
  bool own_allocator = false;  // of a container: not the library's own, so that what it costs is not known
};

// One argument of a call, default arguments left out.
struct Argument {
  Value value;
  Text text;
  Text node;                          // the variable or field that a pointer or reference lets be written
  long long constant = kNotConstant;  // evaluated; of the struct that describes a copy, its cudaMemcpyKind
  bool read_only = false;             // it goes to a pointer or reference to const
};
inline auto values(const List<Argument>& args) { return std::views::transform(args, &Argument::value); }
inline bool hand_function(const List<Argument>& args) {
  return std::ranges::any_of(values(args), [](const Value& value) { return value.kind == Value::Kind::kFunction; });
}

// The stream that a call works on.
struct StreamUse {
  Text text;              // of the argument; empty: the default stream
  Text node;              // the variable or field that the argument is read from
  bool by_turns = false;  // another of several streams at each call of the function: streams[turn_++ % n]
  bool own = false;       // of a launch: the innermost loop gives it a stream and a part of an array
};

// What the loops around a call change about it. Loops are regions of the function.
struct LoopUse {
  List<int> varies_with;       // loops whose induction picks a pointer or tensor argument
  List<int> into_varies_with;  // loops whose induction picks the element that the result becomes
  List<int> keeps_new;         // loops each of whose iterations makes an argument anew and adds it to a list
  List<int> carries_in;        // loops whose iterations all store into the same memory, or tensor, by this
  // Whole numbers that pick what a call works on: of this function's parameters those that pick a pointer or tensor
  // argument; of the arguments those that loops' inductions are handed on in, as pairs of an argument and a region. Of
  // a launch and of a call of the project also the pointers and objects that the loop picks, kObject for the one it is
  // called on.
  List<int> picked_by, index_args;
};

// Where a call stands in the text of its function.
struct Statement {
  Place place;  // the full expression statement (with its `;`) when deleting it loses this call alone
  Text text;    // as the person wrote it
  bool in_macro = false;
  // Events of one run are parted by plain code alone (plain.h); 0: of none. position counts the statements in it.
  int run = 0, position = 0;
};

// Something that a function does and that matters to a GPU.
struct Event {
  enum class Kind : uint8_t {
    kApi,       // a function of the tables
    kCall,      // a function of the project or an unknown one
    kLaunch,    // kernel<<<...>>>; callee: the kernel
    kTensor,    // a LibTorch operation; callee: its name in the tables
    kHostRead,  // the host reads memory through a pointer (object: the pointer)
    kStore,     // the host writes memory through a pointer (object: the pointer)
    kReturn,    // args[0]
    kElapsed,   // a difference of two readings of a clock: args[0] the later one, args[1] the earlier, calls or nodes
  };
  Kind kind = Kind::kCall;
  int region = 0;
  int order = 0;  // flows that the unit had recorded before: an assignment to what the event reads comes later
  Place place;
  Text text;  // the call as written, blanks squeezed
  Callee callee;
  Value object;  // of a method call; what an indirect call calls
  List<Argument> args;
  List<Sum> arg_sums;     // of all calls but those of the C and C++ libraries and of tensors; default arguments too
  List<Sum> launched_on;  // of a launch: grid, block, stream; of a method's call: the object
  Text key;               // of a call: the literal or enumerator among its arguments (keys.h)
  Text into;              // what the value of a call or construction becomes; or the variable whose end makes the call
  Value result;           // of a tensor operation: where it runs, and its result lives
  long long result_bytes = kNotConstant;  // of a conversion that copies: the bytes of what it returns
  StreamUse stream;
  LoopUse loops;
  Statement statement;
  bool is_volatile = false;  // kHostRead
  List<FieldValue> left;     // of the end of a variable (left_fields.h)
};
inline constexpr const char* kAsynchronousPolicy = "par_nosync";  // text of a policy that does not wait

inline constexpr const char* kDeviceSystem = "device_system";  // text of Thrust's policy for the GPU that waits

inline constexpr const char* kAnySystem =
    "any_system";  // text of an iterator without memory, for host and device alike

// Text of a pointer that an algorithm of Thrust is given: host memory for Thrust, unless an execution policy says
// otherwise.
inline constexpr const char* kHostSystem = "host_system";

// A flow of a value into a variable, field, parameter or return value.
struct Flow {
  Text into;  // node key
  Value value;
  Place place;
  int function = -1;  // index in UnitFacts::functions; -1: namespace scope
  int region = 0;     // of that function
};

// What a condition or an assignment says of flags and states: whole numbers that a class or a namespace keeps.
struct StateTerm {
  enum class Kind : uint8_t {
    kUnknown,
    kConstant,   // value
    kField,      // field `name` of `object`; values: all that an enumeration has
    kParameter,  // parameter `value` of the function
    kAnswer,     // what the call of event `value` gives back
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

// A function that writes or asks such a state, step by step. Steps that say nothing of it are left out.
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
  Text name;  // qualified, for people
  Place place;
  std::vector<Text> params;  // node keys
  std::vector<bool> param_is_pointer;
  std::vector<Text> overrides;  // USRs of overridden methods
  std::vector<Region> regions;  // regions[0] is the function itself
  std::vector<Event> events;
  bool is_kernel = false;
  KernelBody kernel;
  bool is_main = false;
  bool is_adopted = false;          // of a header library of others (adopted_headers.h): findings stand at its callers
  List<int> labels;                 // how many events stand before each: source order is not the order of running
  bool is_static_or_local = false;  // every caller is in the program
  bool class_is_in_source = false;  // not virtual, and of a class that the unit's own file defines
  Text owner;                       // lambda: the function it stands in
  Guard when_true, when_false;      // of a bool: why this answer is rare
  ComputedFrom returns;             // what its value is computed from
  bool returns_time = false;        // its value is read off a clock
  Text tells_for;                   // ... where this function's is
  std::vector<StateStep> states;    // states.h; empty: it neither writes nor asks a state
  StateTerm state_answer;           // of a function that only returns: what
};

// A flag (a bool or whole number of a class or namespace): what it is set to after its beginning and, of a bool of an
// object, what constructors begin it with.
struct Turn {
  struct Given {
    Text function;  // the constructor, whose parameter the flag is
    unsigned parameter = 0;
    long long left_out = kNotConstant;  // the default argument
  };
  struct Setter {
    Text function;  // empty: no function
    bool to_true = false, to_false = false;
    bool to_zero = false;  // of a number: other than by what may be a size (made_once.h)
  };
  Text flag;
  List<Setter> setters;                            // other than constructors
  bool begins_true = false, begins_false = false;  // by other than a parameter
  List<Given> begins_as;
};

// What stood in a source of the project when it was read.
struct SourceContent {
  Text file;          // links resolved, as in Place
  uint64_t hash = 0;  // content_hash()
};

// A function that a header of the project declares and a unit calls without having seen its body.
struct Undefined {
  Text usr, name;
  Text header;  // links resolved, as in Place
};

// A header library of others that puts work on the GPU and is too large to be read (adopted_headers.h).
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
  std::vector<Undefined> undefined;  // a few of them: one a header
  std::vector<UnreadLibrary> unread_libraries;
  std::vector<Text> errors;  // first diagnostics of error level, as one line each
  unsigned error_count = 0;
  bool fatal = false;                 // a header was missing: bodies may be empty
  bool no_code = false;               // no function of it was read
  bool mentions_cuda_device = false;  // LibTorch: kCUDA, .cuda(), "cuda", c10::cuda; asking is_available() uses none
  bool per_thread_default_stream = false;
};

}  // namespace syncsniff::facts
