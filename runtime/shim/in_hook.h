// Where the code of the hooks lies. A step of training runs most of it a dozen times, and each time the program's own
// code has taken the caches: then each page of code that a hook touches costs some hundred ticks, and each line tens.
// So what the usual calls of a step run lies beside each other, and no copy of it is made elsewhere.
#pragma once

#if defined(__clang__)  // makes no copies
#define SYNCSNIFF_ONE_COPY
#else
#define SYNCSNIFF_ONE_COPY [[gnu::noclone]]
#endif
#define SYNCSNIFF_IN_HOOK SYNCSNIFF_ONE_COPY [[gnu::hot, gnu::section(".text.hot.hook")]]
// The same for what is made of a template: the linker keeps one of each.
#define SYNCSNIFF_IN_HOOKS SYNCSNIFF_ONE_COPY [[gnu::hot, gnu::section(".text.hot.hooks")]]
