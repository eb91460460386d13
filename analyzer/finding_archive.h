// Findings to bytes and back, as facts/archive.h does for facts: from a worker process to the one that prints.
#pragma once

#include "analyzer/facts/archive.h"
#include "rules/finding.h"

namespace syncsniff {

template <class A>
void fields(A& a, Location& l) {
  a(l.file, l.line, l.column, l.end_line, l.end_column);
}
template <class A>
void fields(A& a, PathStep& s) {
  a(s.location, s.message);
}
template <class A>
void fields(A& a, Edit& e) {
  a(e.file, e.offset, e.length, e.replacement);
}
template <class A>
void fields(A& a, Fix& f) {
  a(f.tier, f.description, f.edits);
}
template <class A>
void fields(A& a, Finding& f) {
  a(f.rule, f.level, f.severity, f.message, f.location, f.release, f.scope, f.wait, f.function, f.hot_call,
    f.hot_function, f.calls, f.path, f.evidence, f.fix, f.fingerprint, f.call_fingerprints, f.allowed_because,
    f.allowed);
}

}  // namespace syncsniff
