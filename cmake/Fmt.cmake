# fmt is compiled once, from its header, into an archive: as a header-only library every file that formats compiles all
# of it, 4 s a file. No symbol of it leaves our libraries. How fmt is taken apart differs between its releases: with
# one we have not seen, it stays header-only, which always works.
#
# A cross build takes the build machine's header, which serves every target. Its /usr/include must not come before the
# target's own, so that only fmt's folder is linked into a place of ours.

if(CMAKE_CROSSCOMPILING)
  find_path(LOADSTONE_FMT_HEADERS fmt/core.h PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/host-headers)
  file(CREATE_LINK ${LOADSTONE_FMT_HEADERS}/fmt ${CMAKE_BINARY_DIR}/host-headers/fmt SYMBOLIC)
  set(include ${CMAKE_BINARY_DIR}/host-headers)
  file(STRINGS ${include}/fmt/core.h line REGEX "^#define FMT_VERSION ")
  string(REGEX REPLACE "[^0-9]" "" number "${line}")
  if(number)
    math(EXPR fmt_VERSION_MAJOR "${number} / 10000")
  endif()
else()
  find_package(fmt REQUIRED)
  get_target_property(include fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
  string(REGEX REPLACE "\\..*" "" fmt_VERSION_MAJOR "${fmt_VERSION}")
endif()

if(fmt_VERSION_MAJOR EQUAL 9)
  add_library(loadstone_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
  target_include_directories(loadstone_fmt SYSTEM PUBLIC ${include})
else()
  add_library(loadstone_fmt INTERFACE)
  target_include_directories(loadstone_fmt SYSTEM INTERFACE ${include})
  target_compile_definitions(loadstone_fmt INTERFACE FMT_HEADER_ONLY=1)
endif()
