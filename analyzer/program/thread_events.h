// What one event does about other threads: it starts one, waits for one, tells one something or waits to be told.
#pragma once

#include <string>

#include "analyzer/program/code.h"

namespace syncsniff::program {

bool starts_thread(const Event& event);
bool waits_for_future(const Event& event);
bool joins(const Event& event);

// The variable, field or container that the waited-for object is, or is kept in.
std::string waited_node(const Event& wait);

// What one thread tells another by, as far as the program names it; a promise and its future are told by their type.
// Empty: the event tells nothing, or waits for nothing.
std::string told_by(const Event& event);
std::string waited_by(const Event& event);

}  // namespace syncsniff::program
