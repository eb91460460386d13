// Whether an expression reads a clock: directly, through a variable set in this iteration, or by calling another
// function.
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
  std::string asks;  // USR of a function of the project that the value is computed from
};

// `loop`: the innermost one around `expr`, or null; a variable from outside of it holds an older reading.
ClockReading reads_clock(const clang::Expr* expr, const clang::Stmt* loop, const Writes& writes, const ApiTable& apis,
                         const clang::ASTContext& context);

}  // namespace syncsniff::facts
