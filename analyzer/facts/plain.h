// Plain code: what puts no work on a GPU, lets no other thread go first and changes no stream or pointer, whatever the
// rest of the program is. A wait is deleted only for another one that plain code alone parts it from, so everything
// that is not known to be harmless is not plain.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include "rules/api_facts.h"

namespace syncsniff::facts {

class PlainCode {
 public:
  PlainCode(const clang::ASTContext& context, const ApiTable& apis) : context_(context), apis_(apis) {}

  // A statement of a block: arithmetic on numbers, output of text, checks that leave the block, waits and copies of the
  // tables, and calls of visible functions that do no more than that.
  bool is_plain(const clang::Stmt* stmt) const;
  // It also changes nothing that outlives it: deleting it loses its waits alone.
  bool leaves_no_trace(const clang::Stmt* stmt) const;
  // A directive (#if, #endif) stands between the two, or inside the second: another configuration has other code there.
  bool has_directive(const clang::Stmt* before, const clang::Stmt* stmt) const;

 private:
  struct Where {
    int calls = 0;         // how many functions deep
    bool in_loop = false;  // break and continue stay in the block
  };
  bool plain(const clang::Stmt* stmt, Where where) const;
  bool plain_children(const clang::Stmt* stmt, Where where) const;
  bool plain_expression(const clang::Expr* expr, Where where) const;
  bool plain_call(const clang::CallExpr* call, Where where) const;
  bool leaves(const clang::Stmt* stmt, Where where) const;

  const clang::ASTContext& context_;
  const ApiTable& apis_;
};

// The call is written where it stands, or as a macro's argument; not in a macro's body, with whatever else that does.
bool is_written_here(clang::SourceLocation at, const clang::SourceManager& sm);

}  // namespace syncsniff::facts
