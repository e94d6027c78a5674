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
  endif()
  target_link_libraries(loadstone_${name} ${scope} loadstone_options)
  foreach(layer ${arg_DEPENDS})
    target_link_libraries(loadstone_${name} ${scope} loadstone_${layer})
  endforeach()
endfunction()

# What a GoogleTest program is compiled and linked with. Its own code is optimised as in the sanitizer presets: more took
# a quarter of its time. The library beneath is what is shipped.
add_library(loadstone_gtest INTERFACE)
if(LOADSTONE_TESTS AND NOT CMAKE_CROSSCOMPILING)
  target_link_libraries(loadstone_gtest INTERFACE GTest::gmock GTest::gtest_main)
  target_compile_options(loadstone_gtest INTERFACE $<$<CONFIG:RelWithDebInfo>:-O1>)
endif()

# A test's timeout only bounds a hang, which under a sanitizer takes longer to tell from work.
set(LOADSTONE_UNIT_SECONDS 240)
if(LOADSTONE_SANITIZE)
  set(LOADSTONE_UNIT_SECONDS 400)
endif()

# loadstone_unit_tests(folder): each tests/<folder>/*_test.cpp is one GoogleTest program linked with that layer.
function(loadstone_unit_tests layer)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  foreach(source ${sources})
    get_filename_component(stem ${source} NAME_WE)
    set(target ${layer}_${stem})
    add_executable(${target} ${source})
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_link_libraries(${target} PRIVATE loadstone_${layer} loadstone_gtest)
    # One ctest entry a program keeps start-up cost low.
    add_test(NAME ${layer}/${stem} COMMAND ${target})
    set_tests_properties(${layer}/${stem} PROPERTIES TIMEOUT ${LOADSTONE_UNIT_SECONDS} LABELS "unit;${layer}")
    if(layer MATCHES "^(transport|deposit|p2p|coll|rma)$")  # several processes each
      target_link_libraries(${target} PRIVATE loadstone_poor)
      set_tests_properties(${layer}/${stem} PROPERTIES PROCESSORS 2)
    endif()
  endforeach()
endfunction()
