// What one event does with other threads: start one, wait for one, signal one, or wait for a signal.
#pragma once

#include <string>

#include "analyzer/program/code.h"

namespace syncsniff::program {

bool starts_thread(const Event& event);
bool waits_for_future(const Event& event);
bool joins(const Event& event);

// The variable, field or container that is, or holds, the object waited for.
std::string waited_node(const Event& wait);

// The object through which the event signals another thread (signalled_object) or waits for a signal (awaited_object),
// as far as the program names it; a promise and its future are named by their type. Empty: the event does not.
std::string signalled_object(const Event& event);
std::string awaited_object(const Event& event);

}  // namespace syncsniff::program
