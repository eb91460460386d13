// loader_client deep LIBRARY SCENARIO: loads LIBRARY with RTLD_DEEPBIND and runs the scenario in it.
// loader_client default: what dlsym(RTLD_DEFAULT) says of the driver and of this program's own symbol.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "deep") == 0) {
    void* library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (library == nullptr) return std::fprintf(stderr, "%s\n", dlerror()), 90;
    auto run = reinterpret_cast<int (*)(const char*)>(dlsym(library, "run_deep"));
    const int result = run != nullptr ? run(argv[3]) : 91;
    std::printf("done\n");
    return result == 0 ? 7 : result;
  }
  for (void* handle : {static_cast<void*>(RTLD_DEFAULT), dlopen(nullptr, RTLD_NOW)}) {
    dlerror();
    void* init = dlsym(handle, "cuInit");
    std::printf("cuInit %s, error %s\n", init != nullptr ? "found" : "null", dlerror() != nullptr ? "set" : "none");
    std::printf("printf %s\n", dlsym(handle, "printf") != nullptr ? "found" : "null");
  }
  dlerror();
  std::printf("missing %s\n",
              dlopen("libthere_is_none.so.9", RTLD_NOW) == nullptr && dlerror() != nullptr ? "null" : "found");
  return 0;
}
