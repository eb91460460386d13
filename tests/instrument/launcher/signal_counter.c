/* Says how many SIGTERM and SIGUSR1 reached it, 700 ms after the first: later than a forwarded one may come.
   With an argument it leaves its process group first. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t terms, users;

static void count(int signal) {
  if (signal == SIGTERM) ++terms;
  if (signal == SIGUSR1) ++users;
}

int main(int argc, char** argv) {
  (void)argv;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = count;
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  if (argc > 1) setpgid(0, 0);
  puts("ready");
  fflush(stdout);
  const struct timespec tick = {0, 10000000};
  int after = 0;
  for (int ticks = 0; ticks < 1000 && after < 70; ++ticks) {
    nanosleep(&tick, NULL); /* a signal cuts one short: there are few */
    if (terms + users > 0) ++after;
  }
  printf("TERM %d USR1 %d\n", (int)terms, (int)users);
  return 0;
}
