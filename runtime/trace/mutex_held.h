// Holds a mutex until the end of a scope. std::lock_guard needs std::mutex, whose errors are exceptions.
#pragma once

#include <pthread.h>

namespace syncsniff::trace {

class MutexHeld {
 public:
  explicit MutexHeld(pthread_mutex_t& mutex) noexcept : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
  ~MutexHeld() { pthread_mutex_unlock(&mutex_); }
  MutexHeld(const MutexHeld&) = delete;
  MutexHeld& operator=(const MutexHeld&) = delete;

 private:
  pthread_mutex_t& mutex_;
};

}  // namespace syncsniff::trace
