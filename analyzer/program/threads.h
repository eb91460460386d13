// Work that a thread of its own does for a loop that waits for it: part of that loop. Work that nobody waits for within
// the iteration, as a prefetcher's, stays off the critical path.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "analyzer/program/effects.h"
#include "analyzer/program/provenance.h"

namespace syncsniff::program {

// Functions handed to std::thread, std::async or pthread_create.
std::set<int> thread_functions(const Code& code, const Provenance& provenance);

// What a thread does for a hot loop of another thread.
struct Service {
  Site wait;      // where the loop waits until the thread has told it that the work is done
  int loop = -1;  // the loop of the thread's function that does the work; around it the thread starts and ends
};

// Of the threads that a hot loop tells that there is work, before it waits until they have told it that the work is
// done. A prefetcher's loop does it the other way round: it waits for a batch, computes, and hands the buffer back.
std::map<int, Service> services_of(const Code& code, const CallGraph& graph, const EffectTable& effects,
                                   const std::set<int>& threads, const std::function<bool(Site)>& is_hot);

}  // namespace syncsniff::program
