// Statuses: what a receive says about its message (MPI §3.2.5, §5.1.11, §13.3).
#include <cstring>

#include "mpi/generated/impl.hpp"
#include "mpi/request_object.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

// Counts whole elements of the type; MPI_UNDEFINED if a part of one is left over.
int impl::Get_count(call&, const MPI_Status* status, datatype& datatype, std::int64_t* count) {
  const std::int64_t bytes = status_bytes(*status), size = datatype.core()->size();
  if (size == 0) {
    *count = bytes == 0 ? 0 : MPI_UNDEFINED;
  } else {
    *count = bytes % size == 0 ? bytes / size : MPI_UNDEFINED;
  }
  return MPI_SUCCESS;
}

int impl::Get_elements(call&, const MPI_Status* status, datatype& datatype, std::int64_t* count) {
  const std::int64_t bytes = status_bytes(*status);
  if (datatype.core()->size() == 0) {
    *count = bytes == 0 ? 0 : MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  const std::int64_t elements = loadstone::datatype::elements_in(*datatype.core(), bytes);
  *count = elements < 0 ? MPI_UNDEFINED : elements;
  return MPI_SUCCESS;
}

// `count` is in basic elements of the type: the status gets the bytes that the first `count` of
// them have.
int impl::Status_set_elements(call& c, MPI_Status* status, datatype& datatype, std::int64_t count) {
  if (count < 0) return c.fail(MPI_ERR_ARG, "argument 3 (count) is {}; expected at least 0", count);
  const auto& type = *datatype.core();
  const std::int64_t per_type = type.basic_elements();
  std::int64_t bytes = 0;
  if (per_type > 0) {
    bytes = count / per_type * type.size();
    const std::int64_t rest = count % per_type;
    if (type.single_basic() != loadstone::datatype::basic::none) {
      bytes += rest * (type.size() / per_type);
    } else if (rest > 0) {
      std::int64_t part =
          0;  // mixed elements: their boundaries are where elements_in() does not say "incomplete"
      while (loadstone::datatype::elements_in(type, part) != rest) ++part;
      bytes += part;
    }
  }
  set_status_bytes(status, bytes);
  return MPI_SUCCESS;
}

int impl::Status_set_cancelled(call&, MPI_Status* status, int flag) {
  set_status_cancelled(status, flag != 0);
  return MPI_SUCCESS;
}

int impl::Test_cancelled(call&, const MPI_Status* status, int* flag) {
  *flag = status_cancelled(*status);
  return MPI_SUCCESS;
}

int impl::Status_get_error(call&, const MPI_Status* status, int* error) {
  *error = status->MPI_ERROR;
  return MPI_SUCCESS;
}

int impl::Status_get_source(call&, const MPI_Status* status, int* source) {
  *source = status->MPI_SOURCE;
  return MPI_SUCCESS;
}

int impl::Status_get_tag(call&, const MPI_Status* status, int* tag) {
  *tag = status->MPI_TAG;
  return MPI_SUCCESS;
}

int impl::Status_set_error(call&, MPI_Status* status, int error) {
  status->MPI_ERROR = error;
  return MPI_SUCCESS;
}

int impl::Status_set_source(call&, MPI_Status* status, int source) {
  status->MPI_SOURCE = source;
  return MPI_SUCCESS;
}

int impl::Status_set_tag(call&, MPI_Status* status, int tag) {
  status->MPI_TAG = tag;
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
