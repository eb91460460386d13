# find_package(syncsniff): the target syncsniff::kernels, and syncsniff_add_check() where the whole project is installed.
include(${CMAKE_CURRENT_LIST_DIR}/syncsniffTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/syncsniffCheck.cmake OPTIONAL)
