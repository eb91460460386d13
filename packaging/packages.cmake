# cpack: two .deb and a .tgz of the installed tree. syncsniff-run needs no LLVM; syncsniff adds what reads sources.
set(CPACK_PACKAGE_NAME syncsniff)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "the syncsniff authors")
set(CPACK_PACKAGE_CONTACT "syncsniff maintainers <maintainers@users.noreply.example>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR "TGZ;DEB")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# Components, and the package that each goes into. A run-only build makes syncsniff-run alone.
set(CPACK_COMPONENT_RUN_GROUP run)
set(CPACK_COMPONENT_CHECK_GROUP check)
set(CPACK_COMPONENT_DOCUMENTS_GROUP run)
set(CPACK_COMPONENTS_ALL run documents)
if(SYNCSNIFF_ANALYZER)
  set(CPACK_COMPONENTS_ALL run check documents)
  set(CPACK_COMPONENT_DOCUMENTS_GROUP check)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(CPACK_DEBIAN_RUN_PACKAGE_NAME syncsniff-run)
set(CPACK_DEBIAN_RUN_DESCRIPTION "finds what a running GPU program waits for
Runs a C++ or Python program that uses CUDA, times where the host waits for the
GPU and the GPU for the host, and names the source lines. Reports, compares and
scales recorded runs. Needs no LLVM, and no GPU to report.")
set(CPACK_DEBIAN_RUN_PACKAGE_RECOMMENDS "llvm | binutils")

set(CPACK_DEBIAN_CHECK_PACKAGE_NAME syncsniff)
set(CPACK_DEBIAN_CHECK_DESCRIPTION "finds the source lines that make a GPU wait
Reads C++, CUDA and LibTorch sources by their compile database with Clang and
names the lines that will stall the GPU, with the path from the training loop
and what to write instead. Joins its findings with measured runs.")
# Clang's builtin headers come in a package of their own, which no library needs.
set(CPACK_DEBIAN_CHECK_PACKAGE_DEPENDS # of the LLVM that analyzer/ is written for
    "syncsniff-run (= ${PROJECT_VERSION}), libclang-common-19-dev")
# Sources are checked without CUDA's headers, too; with them nothing is guessed.
set(CPACK_DEBIAN_CHECK_PACKAGE_RECOMMENDS
    "g++, cuda-cudart-dev-13-0 | cuda-cudart-dev-12-9 | cuda-cudart-dev-12-8 | nvidia-cuda-dev")

# Debian wants man pages compressed, and a copyright and a changelog in each package.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/deb/finish.cmake)
set(CPACK_SYNCSNIFF_PACKAGING ${CMAKE_CURRENT_SOURCE_DIR})
include(CPack)
