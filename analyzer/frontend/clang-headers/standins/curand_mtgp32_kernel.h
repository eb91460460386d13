// Empty on purpose: Clang's CUDA wrapper includes cuRAND's header to give its tables host attributes; a toolkit without
// cuRAND has no such tables.
#pragma once
