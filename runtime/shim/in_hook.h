// Puts the code of the hooks into one section. A training step runs most of it a dozen times, and in between the
// program's own code evicts it from the caches: then each page of code that a hook touches costs about a hundred ticks,
// and each line tens. So the code that a step's usual calls run is contiguous, and the compiler makes no copies of it
// elsewhere.
#pragma once

#if defined(__clang__)  // clang makes no copies
#define SYNCSNIFF_ONE_COPY
#else
#define SYNCSNIFF_ONE_COPY [[gnu::noclone]]
#endif
#define SYNCSNIFF_IN_HOOK SYNCSNIFF_ONE_COPY [[gnu::hot, gnu::section(".text.hot.hook")]]
// The same for instances of templates, of which the linker keeps one each.
#define SYNCSNIFF_IN_HOOKS SYNCSNIFF_ONE_COPY [[gnu::hot, gnu::section(".text.hot.hooks")]]
