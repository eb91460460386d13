// Walks the body of a __global__ function, and of the __device__ functions that it calls, and records which memory of
// which pointer parameter is accessed at which index. Indices are sums (sums.h) of thread and block indices, loop
// counters and constants.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <map>
#include <set>
#include <vector>

#include "analyzer/facts/project_files.h"
#include "analyzer/facts/sums.h"

namespace syncsniff::facts {

// Symbols of the sums: threadIdx.x, blockIdx.y, blockDim.x and gridDim.x are one of these letters followed by "x" or
// "y"; "L4" is the counter of an unrolled loop of four iterations, "K0" that of any other loop that counts by one;
// kUnknownIndex is data, or anything else that a sum cannot express.
inline constexpr char kThread = 'T', kBlock = 'B', kBlockSize = 'D', kGridSize = 'G', kUnrolled = 'L', kCounter = 'K';
inline const char* const kUnknownIndex = "?";
inline constexpr long long kWarp = 32;  // threads
bool depends_on_thread(const Sum& sum);

// The value of an expression, or the place that it names.
struct Known {
  enum class Kind {
    kOther,     // a float, data, or memory that no parameter points to
    kNumber,    // sum
    kMemory,    // sum: offset in bytes from where parameter `param` points
    kLocal,     // an object of the thread's own
    kVariable,  // the place of `var`, a local variable or parameter
  };
  Kind kind = Kind::kOther;
  Sum sum;
  int param = -1;
  const clang::VarDecl* var = nullptr;
};

struct MemoryAccess {
  const clang::Expr* expr;  // null where no element is named
  int param;
  Sum at;
  long long bytes;
  bool writes;
  int strides;       // loops around it that stride over the grid or the block
  int loops;         // loops around it that neither stride so nor are unrolled
  bool in_unrolled;  // in a loop with a fixed trip count
};

class KernelWalk {
 public:
  KernelWalk(const clang::ASTContext& context, const ProjectFiles& project) : context_(context), project_(project) {}
  // False if the body does something that no elementwise kernel does: shared memory, barriers, atomics.
  bool walk(const clang::FunctionDecl* kernel);
  const std::vector<MemoryAccess>& accesses() const { return accesses_; }
  const std::vector<KernelBody::Bound>& bounds() const { return bounds_; }
  // The loop of a counter's symbol ("K0"), and its trip count if that is constant.
  struct Loop {
    const clang::Stmt* stmt;
    long trips;
  };
  const std::map<std::string, Loop>& counted() const { return counted_; }

 private:
  // statements (kernel_walk.cpp)
  void statement(const clang::Stmt* stmt);
  void declaration(const clang::VarDecl* var);
  void if_statement(const clang::IfStmt* stmt);
  void loop(const clang::Stmt* loop);
  bool strides(const clang::Stmt* loop, const clang::VarDecl* var, const char* over);
  std::set<const clang::VarDecl*> striding_variables(const clang::Stmt* loop,
                                                     const std::set<const clang::VarDecl*>& assigned);
  void returned(const clang::ReturnStmt* stmt);
  void condition(const clang::Expr* expr);
  void bound(const clang::Expr* smaller, const clang::Expr* greater, bool or_equal);
  void forget(const std::set<const clang::VarDecl*>& variables);
  void count(const clang::Stmt* loop, const clang::VarDecl* counter, const Known& first, long trips);

  // places (kernel_places.cpp)
  Known place(const clang::Expr* expr);
  Known load(const Known& place, clang::QualType type);
  void store(const Known& place, const Known& value, clang::QualType type);
  Known element(const Known& base, const Known& index, clang::QualType pointer);
  Known member(const clang::MemberExpr* expr);
  void access(const Known& memory, clang::QualType type, bool writes);

  // expressions (kernel_expressions.cpp)
  Known value(const clang::Expr* expr);
  Known one_of(const Known& a, const Known& b);
  Known read(const clang::Expr* from, clang::QualType type);
  Known converted(const clang::CastExpr* expr);
  Known unary(const clang::UnaryOperator* op);
  Known binary(const clang::BinaryOperator* op);
  Known arithmetic(clang::BinaryOperatorKind kind, const Known& a, clang::QualType a_type, const Known& b,
                   clang::QualType b_type);
  Known part(clang::BinaryOperatorKind kind, const Sum& whole, const Sum& by);
  Sum put_together(Sum sum) const;
  Known construct(const clang::CXXConstructExpr* expr);
  void operands(const clang::Stmt* stmt);

  // calls (kernel_calls.cpp)
  Known call(const clang::CallExpr* call);
  Known enter(const clang::FunctionDecl* callee, const std::vector<const clang::Expr*>& args, const Known& object);
  Known library_call(const clang::FunctionDecl* callee, const std::vector<const clang::Expr*>& args);
  Known handed(const clang::Expr* arg, clang::QualType parameter);

  Known fail() {
    failed_ = true;
    return {};
  }

  const clang::ASTContext& context_;
  const ProjectFiles& project_;
  bool failed_ = false;
  int striding_ = 0, loops_ = 0, unrolled_ = 0;
  std::map<const clang::VarDecl*, Known> known_;
  std::vector<MemoryAccess> accesses_;
  std::map<std::string, Loop> counted_;
  struct Part {
    Sum whole, by, quotient;
  };
  std::map<std::string, Part> remainders_;  // by the symbol that stands for `whole % by`
  const clang::Expr* element_ = nullptr;    // the last element of memory that was named
  std::vector<KernelBody::Bound> bounds_;
  struct Frame {
    const clang::FunctionDecl* function;
    Known object;
    bool has_result = false;
    Known result;
  };
  std::vector<Frame> frames_;
};

// threadIdx.x -> "Tx"; empty for anything else.
std::string builtin_index(const clang::Expr* expr);

// Variables that a statement assigns to, or passes on to be written.
void find_assigned(const clang::Stmt* stmt, std::set<const clang::VarDecl*>& into);

Known number(Sum sum);
Sum index_of(const Known& known);

// The expression without wrappers that change neither its value nor its place.
const clang::Expr* unwrapped(const clang::Expr* expr);

}  // namespace syncsniff::facts
