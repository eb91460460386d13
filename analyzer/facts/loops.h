// What varies with a loop: its induction variables, what is computed from them, and what one iteration hands the next.
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
  std::set<const clang::Decl*> kept;     // variables of the body, which each iteration adds to a list outside
  bool carries_value = false;
  bool neighbour_index = false;
  bool unit_step = true;
  bool forever = false;
  long trips = 0;           // where constant
  bool multiplies = false;  // what its condition asks is multiplied or divided in each round: some 60 rounds at most
  bool over_tensors = false, over_dimension = false;
  std::string collection;
};

// Assignment in any of its spellings; null where `stmt` is none.
struct Assignment {
  const clang::Expr* left = nullptr;
  const clang::Expr* right = nullptr;
  bool compound = false;
};
Assignment assignment(const clang::Stmt* stmt);
// `variable = x` somewhere in the statement: x. Null: nothing is assigned to it.
const clang::Expr* assigned_to(const clang::ValueDecl* variable, const clang::Stmt* stmt);

// node = node->next: the variable that goes through a list. Null for anything else.
const clang::VarDecl* follows_link(const clang::Stmt* stmt);

LoopScan scan_loop(const clang::Stmt* loop, const clang::ASTContext& context, const Writes& writes);
// The same of a function, defined here, that is called with one element after the other as its first argument.
LoopScan scan_of_elements(const clang::FunctionDecl* each, const clang::ASTContext& context);

// A parameter and what the body computes from it.
std::set<const clang::Decl*> computed_from(const clang::ParmVarDecl* parameter, const clang::Stmt* body);
// The same of one that picks an element; empty where the body looks at that element's neighbours too.
std::set<const clang::Decl*> picked_from(const clang::ParmVarDecl* parameter, const clang::Stmt* body);

// Does the expression mention a declaration of the set?
bool mentions(const clang::Stmt* stmt, const std::set<const clang::Decl*>& decls);

// do { ... } while (0), as macros write it: no loop.
bool runs_once(const clang::Stmt* loop, const clang::ASTContext& context);

const clang::Stmt* body_of_loop(const clang::Stmt* loop);
// Null where it has none, as for (;;) and a range-for.
const clang::Expr* condition_of_loop(const clang::Stmt* loop);

// Does the declaration stand in the statement?
bool declared_in(const clang::Decl* decl, const clang::Stmt* stmt, const clang::ASTContext& context);

// A loop around what is looked at.
struct LoopAround {
  int region;
  const clang::Stmt* stmt;
  const std::set<const clang::Decl*>* induction;
  long trips;  // where constant, else 0
};

}  // namespace syncsniff::facts
