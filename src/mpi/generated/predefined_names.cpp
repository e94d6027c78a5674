// Written by abi/generate.py; do not edit.
// clang-format off

#include <cstring>

#include "mpi/raise.hpp"

namespace loadstone::mpi {

const char* predefined_name(const char* type, std::intptr_t bits) {
  struct entry {
    const char* type;
    std::intptr_t bits;
    const char* name;
  };
  static constexpr entry entries[] = {
      {"MPI_Op", 0x00000020, "MPI_OP_NULL"},
      {"MPI_Op", 0x00000021, "MPI_SUM"},
      {"MPI_Op", 0x00000022, "MPI_MIN"},
      {"MPI_Op", 0x00000023, "MPI_MAX"},
      {"MPI_Op", 0x00000024, "MPI_PROD"},
      {"MPI_Op", 0x00000028, "MPI_BAND"},
      {"MPI_Op", 0x00000029, "MPI_BOR"},
      {"MPI_Op", 0x0000002a, "MPI_BXOR"},
      {"MPI_Op", 0x00000030, "MPI_LAND"},
      {"MPI_Op", 0x00000031, "MPI_LOR"},
      {"MPI_Op", 0x00000032, "MPI_LXOR"},
      {"MPI_Op", 0x00000038, "MPI_MINLOC"},
      {"MPI_Op", 0x00000039, "MPI_MAXLOC"},
      {"MPI_Op", 0x0000003c, "MPI_REPLACE"},
      {"MPI_Op", 0x0000003d, "MPI_NO_OP"},
      {"MPI_Comm", 0x00000100, "MPI_COMM_NULL"},
      {"MPI_Comm", 0x00000101, "MPI_COMM_WORLD"},
      {"MPI_Comm", 0x00000102, "MPI_COMM_SELF"},
      {"MPI_Group", 0x00000108, "MPI_GROUP_NULL"},
      {"MPI_Group", 0x00000109, "MPI_GROUP_EMPTY"},
      {"MPI_Win", 0x00000110, "MPI_WIN_NULL"},
      {"MPI_File", 0x00000118, "MPI_FILE_NULL"},
      {"MPI_Session", 0x00000120, "MPI_SESSION_NULL"},
      {"MPI_Message", 0x00000128, "MPI_MESSAGE_NULL"},
      {"MPI_Message", 0x00000129, "MPI_MESSAGE_NO_PROC"},
      {"MPI_Info", 0x00000130, "MPI_INFO_NULL"},
      {"MPI_Info", 0x00000131, "MPI_INFO_ENV"},
      {"MPI_Errhandler", 0x00000140, "MPI_ERRHANDLER_NULL"},
      {"MPI_Errhandler", 0x00000141, "MPI_ERRORS_ARE_FATAL"},
      {"MPI_Errhandler", 0x00000142, "MPI_ERRORS_ABORT"},
      {"MPI_Errhandler", 0x00000143, "MPI_ERRORS_RETURN"},
      {"MPI_Request", 0x00000180, "MPI_REQUEST_NULL"},
      {"MPI_Datatype", 0x00000200, "MPI_DATATYPE_NULL"},
      {"MPI_Datatype", 0x00000201, "MPI_AINT"},
      {"MPI_Datatype", 0x00000202, "MPI_COUNT"},
      {"MPI_Datatype", 0x00000203, "MPI_OFFSET"},
      {"MPI_Datatype", 0x00000207, "MPI_PACKED"},
      {"MPI_Datatype", 0x00000208, "MPI_SHORT"},
      {"MPI_Datatype", 0x00000209, "MPI_INT"},
      {"MPI_Datatype", 0x0000020a, "MPI_LONG"},
      {"MPI_Datatype", 0x0000020b, "MPI_LONG_LONG"},
      {"MPI_Datatype", 0x0000020c, "MPI_UNSIGNED_SHORT"},
      {"MPI_Datatype", 0x0000020d, "MPI_UNSIGNED"},
      {"MPI_Datatype", 0x0000020e, "MPI_UNSIGNED_LONG"},
      {"MPI_Datatype", 0x0000020f, "MPI_UNSIGNED_LONG_LONG"},
      {"MPI_Datatype", 0x00000210, "MPI_FLOAT"},
      {"MPI_Datatype", 0x00000212, "MPI_C_FLOAT_COMPLEX"},
      {"MPI_Datatype", 0x00000213, "MPI_CXX_FLOAT_COMPLEX"},
      {"MPI_Datatype", 0x00000214, "MPI_DOUBLE"},
      {"MPI_Datatype", 0x00000216, "MPI_C_DOUBLE_COMPLEX"},
      {"MPI_Datatype", 0x00000217, "MPI_CXX_DOUBLE_COMPLEX"},
      {"MPI_Datatype", 0x00000218, "MPI_LOGICAL"},
      {"MPI_Datatype", 0x00000219, "MPI_INTEGER"},
      {"MPI_Datatype", 0x0000021a, "MPI_REAL"},
      {"MPI_Datatype", 0x0000021b, "MPI_COMPLEX"},
      {"MPI_Datatype", 0x0000021c, "MPI_DOUBLE_PRECISION"},
      {"MPI_Datatype", 0x0000021d, "MPI_DOUBLE_COMPLEX"},
      {"MPI_Datatype", 0x0000021e, "MPI_CHARACTER"},
      {"MPI_Datatype", 0x00000220, "MPI_LONG_DOUBLE"},
      {"MPI_Datatype", 0x00000224, "MPI_C_LONG_DOUBLE_COMPLEX"},
      {"MPI_Datatype", 0x00000225, "MPI_CXX_LONG_DOUBLE_COMPLEX"},
      {"MPI_Datatype", 0x00000228, "MPI_FLOAT_INT"},
      {"MPI_Datatype", 0x00000229, "MPI_DOUBLE_INT"},
      {"MPI_Datatype", 0x0000022a, "MPI_LONG_INT"},
      {"MPI_Datatype", 0x0000022b, "MPI_2INT"},
      {"MPI_Datatype", 0x0000022c, "MPI_SHORT_INT"},
      {"MPI_Datatype", 0x0000022d, "MPI_LONG_DOUBLE_INT"},
      {"MPI_Datatype", 0x00000230, "MPI_2REAL"},
      {"MPI_Datatype", 0x00000231, "MPI_2DOUBLE_PRECISION"},
      {"MPI_Datatype", 0x00000232, "MPI_2INTEGER"},
      {"MPI_Datatype", 0x00000238, "MPI_C_BOOL"},
      {"MPI_Datatype", 0x00000239, "MPI_CXX_BOOL"},
      {"MPI_Datatype", 0x0000023c, "MPI_WCHAR"},
      {"MPI_Datatype", 0x00000240, "MPI_INT8_T"},
      {"MPI_Datatype", 0x00000241, "MPI_UINT8_T"},
      {"MPI_Datatype", 0x00000243, "MPI_CHAR"},
      {"MPI_Datatype", 0x00000244, "MPI_SIGNED_CHAR"},
      {"MPI_Datatype", 0x00000245, "MPI_UNSIGNED_CHAR"},
      {"MPI_Datatype", 0x00000247, "MPI_BYTE"},
      {"MPI_Datatype", 0x00000248, "MPI_INT16_T"},
      {"MPI_Datatype", 0x00000249, "MPI_UINT16_T"},
      {"MPI_Datatype", 0x00000250, "MPI_INT32_T"},
      {"MPI_Datatype", 0x00000251, "MPI_UINT32_T"},
      {"MPI_Datatype", 0x00000258, "MPI_INT64_T"},
      {"MPI_Datatype", 0x00000259, "MPI_UINT64_T"},
      {"MPI_Datatype", 0x000002c0, "MPI_LOGICAL1"},
      {"MPI_Datatype", 0x000002c1, "MPI_INTEGER1"},
      {"MPI_Datatype", 0x000002c8, "MPI_LOGICAL2"},
      {"MPI_Datatype", 0x000002c9, "MPI_INTEGER2"},
      {"MPI_Datatype", 0x000002ca, "MPI_REAL2"},
      {"MPI_Datatype", 0x000002d0, "MPI_LOGICAL4"},
      {"MPI_Datatype", 0x000002d1, "MPI_INTEGER4"},
      {"MPI_Datatype", 0x000002d2, "MPI_REAL4"},
      {"MPI_Datatype", 0x000002d3, "MPI_COMPLEX4"},
      {"MPI_Datatype", 0x000002d8, "MPI_LOGICAL8"},
      {"MPI_Datatype", 0x000002d9, "MPI_INTEGER8"},
      {"MPI_Datatype", 0x000002da, "MPI_REAL8"},
      {"MPI_Datatype", 0x000002db, "MPI_COMPLEX8"},
      {"MPI_Datatype", 0x000002e0, "MPI_LOGICAL16"},
      {"MPI_Datatype", 0x000002e1, "MPI_INTEGER16"},
      {"MPI_Datatype", 0x000002e2, "MPI_REAL16"},
      {"MPI_Datatype", 0x000002e3, "MPI_COMPLEX16"},
      {"MPI_Datatype", 0x000002eb, "MPI_COMPLEX32"},
  };
  for (const entry& e : entries) {
    if (e.bits == bits && std::strcmp(e.type, type) == 0) return e.name;
  }
  // A handle of another kind, perhaps: say which.
  for (const entry& e : entries) {
    if (e.bits == bits) return e.name;
  }
  return nullptr;
}

}  // namespace loadstone::mpi
