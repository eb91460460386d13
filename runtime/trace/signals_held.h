// Blocks all signals for the calling thread during a scope. Needed around every lock and every change of several words
// that must stay consistent: a handler of the program may leave by siglongjmp, and then a half-done change would never
// be completed.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace syncsniff::trace {

class SignalsHeld {  // two system calls, about 0.2 us: use it only on rare paths
 public:
  SignalsHeld() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

}  // namespace syncsniff::trace
