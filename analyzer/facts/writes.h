// Which code writes a variable or field, and what: collected once from every body of the unit. Conditions are judged by
// these writes, since how a counter, a flag or a period is written shows what it is; its name does not.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace syncsniff::facts {

struct Write {
  enum class How { kSet, kStep, kUnknown };  // v = x; ++v, v -= x; passed on to be written
  How how = How::kUnknown;
  int direction = 0;                // kStep: 1 up, -1 down
  std::optional<long> value;        // kSet: if constant
  bool initial = false;             // an initialization, by a declaration or a constructor
  const clang::Stmt* at = nullptr;  // null for a member's own initialiser
  const clang::FunctionDecl* in = nullptr;
  const clang::ParmVarDecl* parameter = nullptr;  // the constructor's parameter that initializes the member, unchanged

  bool may_be(bool truth) const { return !value || (*value != 0) == truth; }
};

class Writes {
 public:
  explicit Writes(const clang::ASTContext& context) : context_(context) {}
  void add_body(const clang::FunctionDecl* function);
  const std::vector<Write>& of(const clang::ValueDecl* decl) const;
  const std::unordered_map<const clang::ValueDecl*, std::vector<Write>>& all() const { return writes_; }
  // Whether the function increments or decrements a field or a namespace's variable, so that two calls may return
  // different things.
  bool counts(const clang::FunctionDecl* function) const { return counting_.count(function->getCanonicalDecl()) != 0; }
  // Whether a local variable of the class is made in a loop, or in a function that may be called in one, so that it is
  // another object each time.
  bool is_made_in_steps(const clang::CXXRecordDecl* record) const {
    return record && made_in_steps_.count(record->getCanonicalDecl()) != 0;
  }
  // The arguments that the unit's calls pass for a parameter that is a tensor or a whole number; nothing for others.
  const std::vector<const clang::Expr*>& given_for(const clang::ParmVarDecl* parameter) const;
  // Whether the function may have calls that given_for() does not know: it is virtual or a lambda's, its address is
  // taken, or a library template makes objects of its class (std::make_unique<Layer>(step)).
  bool is_called_out_of_sight(const clang::FunctionDecl* function) const;

 private:
  void look(const clang::Stmt* stmt);
  void look_at_call(const clang::CallExpr* call);
  void look_at_local(const clang::VarDecl* variable);
  void keep_arguments(const clang::CallExpr* call, const clang::FunctionDecl* callee);
  void note_use(const clang::DeclRefExpr* reference);
  void keep_argument(const clang::FunctionDecl* callee, unsigned parameter, const clang::Expr* given);
  void look_at_method(const clang::CXXMemberCallExpr* call);
  void add(const clang::Expr* target, Write write);

  const clang::ASTContext& context_;
  const clang::FunctionDecl* function_ = nullptr;
  bool constructing_ = false;
  int loops_ = 0;  // number of loops around the current statement
  std::unordered_map<const clang::ValueDecl*, std::vector<Write>> writes_;
  std::set<const clang::FunctionDecl*> counting_;                     // first declarations
  std::set<const clang::CXXRecordDecl*> made_in_steps_;               // first declarations
  using Parameter = std::pair<const clang::FunctionDecl*, unsigned>;  // first declaration, and index
  std::map<Parameter, std::vector<const clang::Expr*>> given_;
  std::map<const clang::FunctionDecl*, int> uses_, calls_;   // number of uses of a function's name, and of calls
  std::set<const clang::CXXRecordDecl*> made_by_templates_;  // first declarations
};

// The variable or field that an expression names; null for anything else.
const clang::ValueDecl* named_decl(const clang::Expr* expr);

// The variable or field whose value the expression reads: `v`, `++v`, `v++`, `v.load()` and the implicit conversion of
// an atomic to its value. Null for anything else.
const clang::ValueDecl* value_read(const clang::Expr* expr);

// Whether some assignment in the statement has the variable or field on its left: v = x, v += x.
bool assigns(const clang::Stmt* stmt, const clang::ValueDecl* variable);

bool is_within(const clang::Stmt* inner, const clang::Stmt* outer, const clang::ASTContext& context);

bool is_atomic(clang::QualType type);

}  // namespace syncsniff::facts
