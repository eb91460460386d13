// Does an expression read a clock? Directly, through a variable of this iteration, or by asking another function.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <string>

#include "analyzer/facts/writes.h"
#include "rules/api_facts.h"

namespace syncsniff::facts {

struct ClockReading {
  bool reads = false;
  std::string asks;  // the USR of a function of the project whose value it is computed from
};

// `loop`: the innermost one around; a variable from outside of it holds an older reading. May be null.
ClockReading reads_clock(const clang::Expr* expr, const clang::Stmt* loop, const Writes& writes, const ApiTable& apis,
                         const clang::ASTContext& context);

}  // namespace syncsniff::facts
