// Work that another thread does for a loop which waits for it is part of that loop. Work that nobody waits for within
// the iteration, such as a prefetcher's, is not on the critical path.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "analyzer/program/effects.h"
#include "analyzer/program/provenance.h"

namespace syncsniff::program {

// Functions passed to std::thread, std::async or pthread_create.
std::set<int> thread_functions(const Code& code, const Provenance& provenance);

// The work of one thread for a hot loop of another thread.
struct Service {
  Site wait;      // where the loop waits for the thread's signal that the work is done
  int loop = -1;  // the loop in the thread's function that does the work; code outside it starts and ends the thread
};

// By thread function: threads that a hot loop first signals, to start the work, and then waits for. A prefetcher's loop
// has the reverse order: it waits for a batch, computes, and hands the buffer back.
std::map<int, Service> services_of(const Code& code, const CallGraph& graph, const EffectTable& effects,
                                   const std::set<int>& threads, const std::function<bool(Site)>& is_hot);

}  // namespace syncsniff::program
