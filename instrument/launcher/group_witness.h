// A process in the launcher's process group that only notes which signals reach it. A signal that it gets was sent to
// the whole group, so the program has it, too; siginfo does not show this. It holds no file and ends with the launcher.
#pragma once

#include <signal.h>
#include <sys/types.h>

namespace syncsniff::launcher {

struct WitnessedSignals;

class GroupWitness {
 public:
  // To be called with all signals blocked. If no process can be started, nothing is witnessed.
  GroupWitness();
  ~GroupWitness();
  GroupWitness(const GroupWitness&) = delete;
  GroupWitness& operator=(const GroupWitness&) = delete;

  // Did `sender` send this signal, which has just reached the launcher, to the whole group? For signal handlers: takes
  // no lock and allocates nothing. The answer "no" takes 20 ms, the time that the witness may need to run.
  bool saw(int signal, pid_t sender) const noexcept;

 private:
  WitnessedSignals* seen_ = nullptr;  // shared with the witness
  pid_t pid_ = -1;
};

}  // namespace syncsniff::launcher
