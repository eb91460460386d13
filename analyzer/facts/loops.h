// What varies with a loop: its induction variables, what is computed from them, and what one iteration passes to the
// next.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <set>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

class Writes;

struct LoopScan {
  std::set<const clang::Decl*> induction;
  std::set<const clang::Decl*> varying;  // induction variables and what the body computes from them
  std::set<const clang::Decl*> kept;     // variables of the body that each iteration adds to a list outside the loop
  bool carries_value = false;
  bool neighbour_index = false;
  bool unit_step = true;
  bool forever = false;
  long trips = 0;           // if constant
  bool multiplies = false;  // its condition tests a variable that each iteration scales: some 60 iterations at most
  bool over_tensors = false, over_dimension = false;
  std::string collection;
};

// Assignment in any spelling; null pointers if `stmt` is none.
struct Assignment {
  const clang::Expr* left = nullptr;
  const clang::Expr* right = nullptr;
  bool compound = false;
};
Assignment assignment(const clang::Stmt* stmt);
// x of the first `variable = x` in the statement. Null: nothing is assigned to it.
const clang::Expr* assigned_to(const clang::ValueDecl* variable, const clang::Stmt* stmt);

// For node = node->next: the variable that traverses a linked list. Null for anything else.
const clang::VarDecl* follows_link(const clang::Stmt* stmt);

LoopScan scan_loop(const clang::Stmt* loop, const clang::ASTContext& context, const Writes& writes);
// The same for a function, defined in this unit, that is called with one element after the other as its first argument.
LoopScan scan_of_elements(const clang::FunctionDecl* each, const clang::ASTContext& context);

// A parameter and what the body computes from it.
std::set<const clang::Decl*> computed_from(const clang::ParmVarDecl* parameter, const clang::Stmt* body);
// The same for a parameter that picks an element; empty if the body also accesses that element's neighbours.
std::set<const clang::Decl*> picked_from(const clang::ParmVarDecl* parameter, const clang::Stmt* body);

// Whether the expression mentions a declaration of the set.
bool mentions(const clang::Stmt* stmt, const std::set<const clang::Decl*>& decls);

// do { ... } while (0), as macros write it: no loop.
bool runs_once(const clang::Stmt* loop, const clang::ASTContext& context);

const clang::Stmt* body_of_loop(const clang::Stmt* loop);
// Null if it has none, as for (;;) and a range-for.
const clang::Expr* condition_of_loop(const clang::Stmt* loop);

// Whether the declaration is inside the statement.
bool declared_in(const clang::Decl* decl, const clang::Stmt* stmt, const clang::ASTContext& context);

// A loop around the code in question.
struct LoopAround {
  int region;
  const clang::Stmt* stmt;
  const std::set<const clang::Decl*>* induction;
  long trips;  // if constant, else 0
};

}  // namespace syncsniff::facts
