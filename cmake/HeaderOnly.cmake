# Header-only libraries, also for a cross build: the build machine's headers serve every target, but its /usr/include
# must not come before the target's own, so that only the library's folder is linked into a place of ours.

if(NOT CMAKE_CROSSCOMPILING)
  find_package(fmt REQUIRED)
  return()
endif()

find_path(LOADSTONE_FMT_HEADERS fmt/core.h PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/host-headers)
file(CREATE_LINK ${LOADSTONE_FMT_HEADERS}/fmt ${CMAKE_BINARY_DIR}/host-headers/fmt SYMBOLIC)
add_library(fmt::fmt-header-only INTERFACE IMPORTED)
set_target_properties(fmt::fmt-header-only PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR}/host-headers
  INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1)
