// Findings to bytes and back, as facts/archive.h does for facts: to pass them from a worker process to the one that
// prints.
#pragma once

#include "analyzer/facts/archive.h"
#include "rules/finding.h"

namespace syncsniff {

template <class A>
auto fields(A& a, Location& l) {
  return a(l.file, l.line, l.column, l.end_line, l.end_column);
}
template <class A>
auto fields(A& a, PathStep& s) {
  return a(s.location, s.message);
}
template <class A>
auto fields(A& a, Edit& e) {
  return a(e.file, e.offset, e.length, e.replacement);
}
template <class A>
auto fields(A& a, Fix& f) {
  return a(f.tier, f.description, f.edits);
}
template <class A>
auto fields(A& a, Finding& f) {
  return a(f.rule, f.level, f.severity, f.message, f.location, f.release, f.scope, f.wait, f.callee, f.function,
           f.hot_call, f.hot_function, f.calls, f.path, f.evidence, f.fix, f.fingerprint, f.call_fingerprints,
           f.same_text, f.copy, f.calls_left_out, f.allowed_because, f.allowed, f.is_old);
}

}  // namespace syncsniff
