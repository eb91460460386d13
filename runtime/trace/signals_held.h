// The calling thread takes no signals while one of these lives: around every lock and every change of several words
// that must stay together. A handler of the program's may leave by siglongjmp, and what it left half done stays so.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace syncsniff::trace {

class SignalsHeld {  // two system calls, some 0.2 us: for the rare paths
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
