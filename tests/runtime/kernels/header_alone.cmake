# Every public header compiles alone and without a warning: .h as plain C++, all of them with nvcc and with Clang.
set(kernels_include ${PROJECT_SOURCE_DIR}/runtime/kernels/include)
set(alone_sources ${CMAKE_CURRENT_BINARY_DIR}/header_alone)
set(alone_warnings -Wall -Wextra -Werror -I${kernels_include})
find_program(SYNCSNIFF_CLANGXX NAMES clang++-19 clang++)

# Each architecture costs as much again, so C++17 has both, and C++20 one.
set(sm80 -gencode arch=compute_80,code=sm_80)
set(sm90 -gencode arch=compute_90,code=sm_90)
set(architectures17 ${sm80} ${sm90})
set(architectures20 ${sm90})

function(alone_test name)
  add_test(NAME kernels.header_alone.${name} COMMAND ${ARGN})
  set_tests_properties(kernels.header_alone.${name} PROPERTIES LABELS headers)
endfunction()

file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${kernels_include}/syncsniff
     ${kernels_include}/syncsniff/*.h ${kernels_include}/syncsniff/*.cuh)
list(REMOVE_ITEM headers torch_tensors.cuh)  # needs LibTorch besides: below
foreach(header ${headers})
  get_filename_component(extension ${header} LAST_EXT)
  set(source ${alone_sources}/${header})
  foreach(suffix .cpp .cu)
    file(CONFIGURE OUTPUT ${source}${suffix} CONTENT "#include <syncsniff/@header@>\n" @ONLY)
  endforeach()
  if(extension STREQUAL ".h")
    foreach(standard 17 20)
      alone_test(${header}.cxx${standard} ${CMAKE_CXX_COMPILER} -std=c++${standard} ${alone_warnings} -Wpedantic
                 -Wconversion -isystem ${SYNCSNIFF_CUDART_HEADERS} -fsyntax-only ${source}.cpp)
    endforeach()
  endif()
  if(SYNCSNIFF_CUDA)
    alone_test(${header}.nvcc ${CMAKE_CUDA_COMPILER} -std=c++17 ${sm90} -Xcompiler=-Wall,-Wextra,-Werror
               -Werror=all-warnings -I${kernels_include} -c ${source}.cu -o ${source}.o)
  endif()
  # The stand-ins make up for the headers that Clang 19 asks for and CUDA 13 no longer has.
  if(SYNCSNIFF_CLANGXX)
    alone_test(${header}.clang ${SYNCSNIFF_CLANGXX} -x cuda --cuda-host-only -nocudalib -std=c++17 ${alone_warnings}
               --cuda-path=${SYNCSNIFF_CUDART_HEADERS}/.. -Wno-unknown-cuda-version
               -isystem ${PROJECT_SOURCE_DIR}/analyzer/frontend/clang-headers/standins -fsyntax-only ${source}.cu)
  endif()
endforeach()

# Every operation, instantiated: with this machine's toolkit, and through Clang with that of CUDA 12.
set(SYNCSNIFF_CUDA12_ROOT ${PROJECT_BINARY_DIR}/cuda12 CACHE PATH "A CUDA 12 toolkit; its tests are left out without one")
set(instantiations ${CMAKE_CURRENT_SOURCE_DIR}/instantiations.cu)
foreach(standard 17 20)
  if(SYNCSNIFF_CUDA)
    alone_test(instantiations.nvcc${standard} ${CMAKE_CUDA_COMPILER} -std=c++${standard}
               ${architectures${standard}}
               -Xcompiler=-Wall,-Wextra,-Werror -Werror=all-warnings -I${kernels_include} -c ${instantiations}
               -o ${alone_sources}/instantiations${standard}.o)
  endif()
  if(SYNCSNIFF_CLANGXX)
    alone_test(instantiations.clang${standard} ${SYNCSNIFF_CLANGXX} -x cuda --cuda-host-only -nocudalib
               -std=c++${standard} ${alone_warnings} --cuda-path=${SYNCSNIFF_CUDART_HEADERS}/..
               -Wno-unknown-cuda-version -isystem ${PROJECT_SOURCE_DIR}/analyzer/frontend/clang-headers/standins
               -fsyntax-only ${instantiations})
  endif()
  if(SYNCSNIFF_CLANGXX AND EXISTS ${SYNCSNIFF_CUDA12_ROOT}/include/cuda_runtime.h)
    set(cuda12 ${SYNCSNIFF_CLANGXX} -x cuda -std=c++${standard} ${alone_warnings} -Wno-unknown-cuda-version
               --cuda-path=${SYNCSNIFF_CUDA12_ROOT}
               -isystem ${PROJECT_SOURCE_DIR}/analyzer/frontend/clang-headers/standins -c ${instantiations})
    alone_test(instantiations.cuda12.host${standard} ${cuda12} --cuda-host-only
               -o ${alone_sources}/cuda12_host${standard}.o)
    set(architecture 80)
    if(standard EQUAL 20)
      set(architecture 90)
    endif()
    alone_test(instantiations.cuda12.sm${architecture}.cxx${standard} ${cuda12} --cuda-device-only -O1
               --cuda-gpu-arch=sm_${architecture} -o ${alone_sources}/cuda12_sm${architecture}_${standard}.o)
  endif()
endforeach()

# What needs PyTorch besides, over stand-ins for its declarations; gpu.torch_extension builds it against the real ones.
set(over_torch -isystem ${CMAKE_CURRENT_SOURCE_DIR}/torch-stub -I${PROJECT_SOURCE_DIR}/tests/bench/kernels)
foreach(source ${CMAKE_CURRENT_SOURCE_DIR}/torch_instantiations.cu
        ${PROJECT_SOURCE_DIR}/runtime/kernels/python/csrc/plan.cu
        ${PROJECT_SOURCE_DIR}/tests/bench/kernels/torch_ops.cu)
  get_filename_component(name ${source} NAME_WE)
  foreach(standard 17 20)
    if(SYNCSNIFF_CUDA)
      alone_test(torch.${name}.nvcc${standard} ${CMAKE_CUDA_COMPILER} -std=c++${standard}
                 ${architectures${standard}}
                 -Xcompiler=-Wall,-Wextra,-Werror -Werror=all-warnings -I${kernels_include} ${over_torch} -c ${source}
                 -o ${alone_sources}/torch_${name}${standard}.o)
    endif()
    if(SYNCSNIFF_CLANGXX)
      alone_test(torch.${name}.clang${standard} ${SYNCSNIFF_CLANGXX} -x cuda --cuda-host-only -nocudalib
                 -std=c++${standard} ${alone_warnings} ${over_torch} --cuda-path=${SYNCSNIFF_CUDART_HEADERS}/..
                 -Wno-unknown-cuda-version -isystem ${PROJECT_SOURCE_DIR}/analyzer/frontend/clang-headers/standins
                 -fsyntax-only ${source})
    endif()
  endforeach()
endforeach()
