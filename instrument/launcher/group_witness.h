// A process that sits in our process group and notes which signals reach it. What it gets was sent to the whole group,
// so the program has it too; siginfo does not tell this. It does nothing else, holds no file and dies with us.
#pragma once

#include <signal.h>
#include <sys/types.h>

namespace syncsniff::launcher {

struct WitnessedSignals;

class GroupWitness {
 public:
  // To be called with all signals blocked. Where no process can be started nothing is ever witnessed.
  GroupWitness();
  ~GroupWitness();
  GroupWitness(const GroupWitness&) = delete;
  GroupWitness& operator=(const GroupWitness&) = delete;

  // Did `sender` send this signal, which has just reached us, to the group? For handlers: takes no lock and no memory.
  // A "no" takes 20 ms: so long the witness may need to run.
  bool saw(int signal, pid_t sender) const noexcept;

 private:
  WitnessedSignals* seen_ = nullptr;  // shared with the witness
  pid_t pid_ = -1;
};

}  // namespace syncsniff::launcher
