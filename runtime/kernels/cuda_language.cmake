# Turns the CUDA language on where a working nvcc is, and says so in SYNCSNIFF_CUDA. To be included at the top level.
# SYNCSNIFF_SAMPLES: AUTO builds samples and GPU tests where that is so, ON insists, OFF builds none.
include_guard(GLOBAL)
set(SYNCSNIFF_SAMPLES AUTO CACHE STRING "Build the CUDA samples and GPU tests: AUTO, ON or OFF")
set_property(CACHE SYNCSNIFF_SAMPLES PROPERTY STRINGS AUTO ON OFF)
set(SYNCSNIFF_CUDA OFF CACHE INTERNAL "The CUDA language is on")

if(NOT SYNCSNIFF_SAMPLES STREQUAL "OFF")
  if(CMAKE_CUDA_COMPILER)
    set(SYNCSNIFF_NVCC ${CMAKE_CUDA_COMPILER})
  else()
    find_program(SYNCSNIFF_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  endif()
  # An nvcc that cannot link (no libcudart, a host compiler that it rejects) must not stop the rest from building.
  set(SYNCSNIFF_NVCC_STATUS "no nvcc found")
  if(SYNCSNIFF_NVCC)
    file(WRITE ${CMAKE_BINARY_DIR}/CMakeFiles/nvcc_probe.cu "#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n")
    execute_process(COMMAND ${SYNCSNIFF_NVCC} -arch=sm_80 -o ${CMAKE_BINARY_DIR}/CMakeFiles/nvcc_probe
                            ${CMAKE_BINARY_DIR}/CMakeFiles/nvcc_probe.cu
                    RESULT_VARIABLE SYNCSNIFF_NVCC_STATUS OUTPUT_QUIET ERROR_VARIABLE SYNCSNIFF_NVCC_ERROR)
  endif()
  if(SYNCSNIFF_NVCC_STATUS STREQUAL "0")
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 80 90)
    endif()
    set(CMAKE_CUDA_COMPILER ${SYNCSNIFF_NVCC})
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    enable_language(CUDA)
    # Not find_package(CUDAToolkit): CMake 3.25's stops with an error at a toolkit without nvToolsExt, as CUDA 13's is.
    find_path(SYNCSNIFF_CUBLAS_INCLUDE cublas_v2.h HINTS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} NO_DEFAULT_PATH)
    find_library(SYNCSNIFF_CUBLAS cublas HINTS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} ${SYNCSNIFF_CUBLAS_INCLUDE}/../lib64)
    set(SYNCSNIFF_CUDA ON CACHE INTERNAL "The CUDA language is on")
  elseif(SYNCSNIFF_SAMPLES STREQUAL "ON")
    message(FATAL_ERROR "SYNCSNIFF_SAMPLES=ON needs an nvcc that builds a program: ${SYNCSNIFF_NVCC_STATUS} ${SYNCSNIFF_NVCC_ERROR}")
  else()
    message(STATUS "CUDA samples and GPU tests are left out: ${SYNCSNIFF_NVCC_STATUS} ${SYNCSNIFF_NVCC_ERROR}")
  endif()
endif()
