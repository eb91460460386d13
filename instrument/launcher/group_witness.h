// A process in the launcher's process group that only notes which signals reach it. A signal that reaches it was sent
// to the whole group, so the program has got it, too; siginfo does not show this. The witness holds no file of the
// launcher's and ends with it.
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

  // True if `sender` sent this signal, which has just reached the launcher, to the whole group. May be called in signal
  // handlers: takes no lock and allocates nothing. Returning false takes 20 ms: timeout(1) signals its child first and
  // its group after it.
  bool saw(int signal, pid_t sender) const noexcept;

 private:
  WitnessedSignals* seen_ = nullptr;  // memory shared with the witness
  pid_t pid_ = -1;
};

}  // namespace syncsniff::launcher
