# One folder under src/ is one layer: a static library that may use only the layers named in DEPENDS
# (the same order that .ci/check_layering enforces on #include lines).

add_library(loadstone_options INTERFACE)
target_include_directories(loadstone_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/generated)
target_compile_options(loadstone_options INTERFACE
  -Wall -Wextra -fno-semantic-interposition $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>
  $<$<BOOL:${LOADSTONE_WERROR}>:-Werror>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(loadstone_options INTERFACE -mcx16)
endif()
target_link_libraries(loadstone_options INTERFACE loadstone_fmt Threads::Threads)
if(LOADSTONE_FAULTS)
  target_compile_definitions(loadstone_options INTERFACE LOADSTONE_FAULTS=1)
endif()
if(LOADSTONE_SANITIZE)
  target_compile_options(loadstone_options INTERFACE -fsanitize=${LOADSTONE_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(loadstone_options INTERFACE -fsanitize=${LOADSTONE_SANITIZE})
endif()

# Most of the time of a file goes into headers that its neighbours include, too: files of a folder are compiled some at a
# time. (gcc takes what a file keeps to itself for a header's, as it is included by another then.)
function(loadstone_compiled_together target batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()

# loadstone_precompiled(target FIRST): what most files include is read once, for all targets that name the same FIRST; it
# makes what the others use. A file with options of its own reads its headers by itself. What is shipped is compiled
# without: gcc inlines otherwise then, and warns otherwise.
set(LOADSTONE_COMMON_HEADERS <algorithm> <array> <atomic> <cstring> <functional> <map> <memory> <mutex> <optional> <span>
  <string> <unordered_map> <vector> <fmt/core.h>)
function(loadstone_precompiled target first)
  if(NOT LOADSTONE_PRECOMPILED STREQUAL "ALL" AND
     NOT (LOADSTONE_PRECOMPILED STREQUAL "TESTS" AND first STREQUAL "loadstone_gtest"))
    return()
  endif()
  if(target STREQUAL first)
    target_precompile_headers(${target} PRIVATE ${LOADSTONE_COMMON_HEADERS} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${first})
  endif()
endfunction()

# loadstone_layer(NAME DEPENDS layer... ): every .cpp of the folder belongs to the layer.
function(loadstone_layer name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(LENGTH sources count)
  if(count EQUAL 0)
    add_library(loadstone_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    add_library(loadstone_${name} STATIC ${sources})
    set(scope PUBLIC)
    loadstone_compiled_together(loadstone_${name} 8)
    loadstone_precompiled(loadstone_${name} loadstone_base)
  endif()
  target_link_libraries(loadstone_${name} ${scope} loadstone_options)
  foreach(layer ${arg_DEPENDS})
    target_link_libraries(loadstone_${name} ${scope} loadstone_${layer})
  endforeach()
endfunction()

# What a GoogleTest program is compiled and linked with. Its own code is optimised as in the sanitizer presets: -O1 took
# a third more of its time. The library beneath is what is shipped.
if(LOADSTONE_TESTS AND NOT CMAKE_CROSSCOMPILING)
  add_library(loadstone_gtest STATIC ${CMAKE_SOURCE_DIR}/tests/main.cpp)
  target_link_libraries(loadstone_gtest PUBLIC GTest::gmock GTest::gtest PRIVATE loadstone_options)
  target_compile_options(loadstone_gtest PUBLIC $<$<CONFIG:RelWithDebInfo>:-Og> PRIVATE -fPIE)
  loadstone_precompiled(loadstone_gtest loadstone_gtest <chrono> <fstream> <numeric> <random> <set> <thread> <gmock/gmock.h>
    <gtest/gtest.h>)
endif()

# A test's timeout only bounds a hang, which under a sanitizer takes longer to tell from work.
set(LOADSTONE_UNIT_SECONDS 240)
if(LOADSTONE_SANITIZE)
  set(LOADSTONE_UNIT_SECONDS 400)
endif()

# loadstone_run_beside(test...): long tests that keep less than one core busy. One of them at a time runs beside a test that
# keeps both busy; several at once would leave cores idle. They begin first.
function(loadstone_run_beside)
  set_tests_properties(${ARGN} PROPERTIES PROCESSORS 1 RESOURCE_LOCK beside COST 100)
endfunction()

# loadstone_unit_tests(folder [ALONE stem...] [SLEEPING stem...]): tests/<folder>/*_test.cpp are one GoogleTest program, tests_<folder>, linked
# with that layer, and one ctest entry a file. A file with a main() of its own is a program of its own, <folder>_<stem>.
# Where two files would use one name, one has a namespace called as the file. SLEEPING: files whose processes mostly sleep
# (loadstone_run_beside).
function(loadstone_unit_tests layer)
  cmake_parse_arguments(arg "" "" "ALONE;SLEEPING" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  set(together ${sources})
  # Names as in ctest: where some of a folder are listed, only those are compiled. For sanitizers.
  set(listed ${LOADSTONE_UNIT_TESTS})
  list(FILTER listed INCLUDE REGEX "^${layer}/")
  if(listed)
    list(TRANSFORM listed REPLACE "^${layer}/([^/]*).*" "${CMAKE_CURRENT_SOURCE_DIR}/\\1.cpp" OUTPUT_VARIABLE together)
    list(REMOVE_DUPLICATES together)
  endif()
  foreach(stem ${arg_ALONE})
    list(REMOVE_ITEM together ${CMAKE_CURRENT_SOURCE_DIR}/${stem}.cpp)
    add_executable(${layer}_${stem} ${stem}.cpp)
    loadstone_unit_program(${layer} ${layer}_${stem})
  endforeach()
  add_executable(tests_${layer} ${together})
  loadstone_compiled_together(tests_${layer} 8)
  loadstone_unit_program(${layer} tests_${layer})
  foreach(source ${sources})
    get_filename_component(stem ${source} NAME_WE)
    if(stem IN_LIST arg_ALONE)
      add_test(NAME ${layer}/${stem} COMMAND ${layer}_${stem})
    else()
      add_test(NAME ${layer}/${stem} COMMAND tests_${layer} --file=${stem})
    endif()
    set_tests_properties(${layer}/${stem} PROPERTIES TIMEOUT ${LOADSTONE_UNIT_SECONDS} LABELS "unit;${layer}")
    if(stem IN_LIST arg_SLEEPING)
      loadstone_run_beside(${layer}/${stem})
    elseif(layer MATCHES "^(transport|deposit|p2p|coll|rma)$")  # several processes each
      set_tests_properties(${layer}/${stem} PROPERTIES PROCESSORS 2)
    endif()
  endforeach()
endfunction()

function(loadstone_unit_program layer target)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE loadstone_${layer} loadstone_gtest)
  loadstone_precompiled(${target} loadstone_gtest)
  if(layer MATCHES "^(transport|deposit|p2p|coll|rma)$")
    target_link_libraries(${target} PRIVATE loadstone_poor)
  endif()
endfunction()
