// Plain code puts no work on a GPU, lets no other thread go first and changes no stream or pointer, whatever the rest
// of the program is. A wait is deleted as redundant only if nothing but plain code separates it from another wait, so
// code counts as plain only if it is known to be harmless.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include "rules/api_facts.h"

namespace syncsniff::facts {

class PlainCode {
 public:
  PlainCode(const clang::ASTContext& context, const ApiTable& apis) : context_(context), apis_(apis) {}

  // A plain statement of a block: arithmetic on numbers, output of text, checks that leave the block, waits and copies
  // of the tables, and calls of visible functions that do no more than that.
  bool is_plain(const clang::Stmt* stmt) const;
  // It also changes nothing that outlives it, so that deleting it loses only its waits.
  bool leaves_no_trace(const clang::Stmt* stmt) const;
  // A directive (#if, #endif) is between the two, or inside the second: another configuration has other code there.
  bool has_directive(const clang::Stmt* before, const clang::Stmt* stmt) const;

 private:
  struct Where {
    int calls = 0;         // depth of calls
    bool in_loop = false;  // so that break and continue stay in the block
  };
  bool plain(const clang::Stmt* stmt, Where where) const;
  bool plain_children(const clang::Stmt* stmt, Where where) const;
  bool plain_expression(const clang::Expr* expr, Where where) const;
  bool plain_call(const clang::CallExpr* call, Where where) const;
  bool leaves(const clang::Stmt* stmt, Where where) const;

  const clang::ASTContext& context_;
  const ApiTable& apis_;
};

// The call is written at this place or as a macro's argument, not in a macro's body, which may do more than the call.
bool is_written_here(clang::SourceLocation at, const clang::SourceManager& sm);

}  // namespace syncsniff::facts
