// Empty on purpose: Clang's intrinsics header includes the toolkit's bodies of the sm_70 intrinsics from here; the
// host pass needs none of them.
#pragma once
