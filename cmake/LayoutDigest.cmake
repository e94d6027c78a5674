# What two processes of a job see is declared in *_layout.hpp. A number made from the text of those files stands in the
# job's header, so that processes whose libraries differ there say so instead of misreading each other: nobody has to
# remember to count a version up.
file(GLOB_RECURSE layouts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*_layout.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${layouts})
set(digests)
foreach(layout ${layouts})
  file(SHA256 ${layout} digest)
  string(APPEND digests "${digest} ")
endforeach()
string(SHA256 LAYOUT_DIGEST "${digests}")
string(SUBSTRING ${LAYOUT_DIGEST} 0 8 LAYOUT_DIGEST)
configure_file(${CMAKE_SOURCE_DIR}/src/memory/layout_digest.hpp.in ${CMAKE_BINARY_DIR}/generated/memory/layout_digest.hpp
  @ONLY)
