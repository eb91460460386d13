/* What the launcher's tests preload: copies the trace named by TEST_TRACE to SYNCSNIFF_TRACE's name in the run's folder
   when the program says that it uses CUDA (TEST_CUDA is set), as the shim would once cuInit is seen. A second process
   adds its pid to the name; with TEST_TRACE_BY=NAME the trace is TEST_TRACE.VALUE of that variable; with
   TEST_OWN_PID the trace says that it is this process's. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As runtime/trace/format.h has it, which is C++. */
struct FileHeaderStart {
  char magic[8];
  uint32_t version, chunk_bytes, pid;
};

__attribute__((constructor)) static void leave_trace(void) {
  const char* from = getenv("TEST_TRACE");
  const char* to = getenv("SYNCSNIFF_TRACE");
  if (from == NULL || to == NULL || getenv("TEST_CUDA") == NULL) return;
  char path[4096], given[4096], buffer[65536];
  const char* by = getenv("TEST_TRACE_BY");
  const char* value = by != NULL ? getenv(by) : NULL;
  if (value != NULL) {
    snprintf(given, sizeof given, "%s.%s", from, value);
    from = given;
  }
  const char* folder = getenv("SYNCSNIFF_TRACE_FOLDER");
  const char* name = strrchr(to, '/') + 1;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (access(path, F_OK) == 0) snprintf(path, sizeof path, "%s/%s.%d", folder, name, (int)getpid());
  FILE* in = fopen(from, "rb");
  FILE* out = in != NULL ? fopen(path, "wb") : NULL;
  size_t got;
  while (out != NULL && (got = fread(buffer, 1, sizeof buffer, in)) > 0) fwrite(buffer, 1, got, out);
  if (out != NULL && getenv("TEST_OWN_PID") != NULL) {
    const uint32_t pid = (uint32_t)getpid();
    fseek(out, offsetof(struct FileHeaderStart, pid), SEEK_SET);
    fwrite(&pid, sizeof pid, 1, out);
  }
  if (out != NULL) fclose(out);
  if (in != NULL) fclose(in);
}
