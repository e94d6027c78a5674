// Reading and writing files (MPI §14.4): explicit offsets, individual and shared pointers, alone
// and together; blocking, non-blocking and split. All of them are one access, made at once or
// later.
#include "mpi/call.hpp"
#include "mpi/datatype_object.hpp"
#include "mpi/file.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/request_object.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

struct kind_of_access : io::access_kind {
  constexpr kind_of_access reads() const { return *this; }
  constexpr kind_of_access writes() const {
    kind_of_access k = *this;
    k.write = true;
    return k;
  }
};
constexpr kind_of_access at{{io::place::explicit_offset, false, false}},
    at_all{{io::place::explicit_offset, false, true}}, own{{io::place::individual, false, false}},
    own_all{{io::place::individual, false, true}}, shared{{io::place::shared, false, false}},
    ordered{{io::place::shared, false, true}};

io::memory_data data_of(const void* buf, std::int64_t count, const datatype& type) {
  return {const_cast<void*>(buf), count, type.core()};
}

int check(call& c, const file& f, const io::access_kind& kind, std::int64_t offset) {
  const int amode = f.amode();
  if (kind.write && (amode & MPI_MODE_RDONLY) != 0)
    return c.fail(MPI_ERR_READ_ONLY, "{}: it was opened with MPI_MODE_RDONLY", f.describe());
  if (!kind.write && (amode & MPI_MODE_WRONLY) != 0)
    return c.fail(MPI_ERR_ACCESS, "{}: it was opened with MPI_MODE_WRONLY", f.describe());
  if (f.sequential() && kind.where != io::place::shared)
    return c.fail(MPI_ERR_UNSUPPORTED_OPERATION,
                  "{}: it was opened with MPI_MODE_SEQUENTIAL, and has a shared pointer only", f.describe());
  if (kind.where == io::place::explicit_offset && offset < 0)
    return c.fail(MPI_ERR_ARG, "{}: argument 2 (offset) is {}; expected at least 0", f.describe(), offset);
  if (kind.collective && f.split.operation != nullptr)
    return c.fail(MPI_ERR_OTHER, "{}: {}_begin has begun; expected its end first", f.describe(),
                  f.split.name);
  return MPI_SUCCESS;
}

int plan(call& c, file& f, const io::access_kind& kind, std::int64_t offset, const io::memory_data& data,
         io::planned* p) {
  if (const int error = check(c, f, kind, offset)) return error;
  const io::trouble why = f.core().plan(kind, offset, data, p);
  return why.ok() ? MPI_SUCCESS : file_failed(c, f, why, MPI_ERR_IO);
}

void set_bytes(MPI_Status* status, std::int64_t bytes) {
  if (status == MPI_STATUS_IGNORE) return;
  set_empty_status(status);
  set_status_bytes(status, bytes);
}

int access(call& c, file& f, const io::access_kind& kind, std::int64_t offset, const io::memory_data& data,
           MPI_Status* status) {
  io::planned p;
  if (const int error = plan(c, f, kind, offset, data, &p)) return error;
  std::int64_t done = 0;
  const io::trouble why = f.core().run(f.together(c), p, &done);
  set_bytes(status, done);
  return why.ok() ? MPI_SUCCESS : file_failed(c, f, why);
}

class file_request final : public request {
 public:
  file_request(process& p, file& f, io::background::operation* o)
      : request(p, nullptr, lifetime::owned), file_(f) {
    operation_ = o;
    active_ = true;
  }
  ~file_request() override {
    const std::lock_guard guard(owner_.gate());
    access().let_go();
    operation_ = nullptr;
  }
  file* of_file() const override { return &file_; }
  bool ends_here() const override { return true; }
  std::string problem() const override {
    const io::trouble& why = access().why();
    if (why.ok()) return {};
    return fmt::format("{}: {}{}", file_.describe(), why.what,
                       why.offset >= 0 ? fmt::format(", {} bytes at offset {}", why.bytes, why.offset) : "");
  }
  int query(MPI_Status* status) override {
    set_bytes_only(status, access().result.bytes);
    const io::trouble& why = access().why();
    return why.ok() ? MPI_SUCCESS : error_class_of(why, MPI_ERR_IO);
  }

 private:
  // All but MPI_ERROR, which is the caller's.
  static void set_bytes_only(MPI_Status* status, std::int64_t bytes) {
    p2p::outcome result;
    result.bytes = bytes;
    set_status(status, result);
  }
  io::background::operation& access() const { return static_cast<io::background::operation&>(*operation_); }
  file& file_;
};

int start(call& c, file& f, const io::access_kind& kind, std::int64_t offset, const io::memory_data& data,
          MPI_Request* request) {
  io::planned p;
  if (const int error = plan(c, f, kind, offset, data, &p)) return error;
  io::background::operation* o = f.later().start(std::move(p));
  if (o == nullptr) return c.fail(MPI_ERR_NO_MEM, "{}: no thread can be started for it", f.describe());
  if (publish(c.process(), new file_request(c.process(), f, o), request) != MPI_SUCCESS)
    return c.fail(MPI_ERR_OTHER, "no more request handles are free");
  return MPI_SUCCESS;
}

// `name`: without _begin.
int begin(call& c, file& f, const io::access_kind& kind, std::int64_t offset, const io::memory_data& data,
          const char* name) {
  io::planned p;
  if (const int error = plan(c, f, kind, offset, data, &p)) return error;
  io::background::operation* o = f.later().start(std::move(p));
  if (o == nullptr) return c.fail(MPI_ERR_NO_MEM, "{}: no thread can be started for it", f.describe());
  f.split = {o, name, data.address};
  return MPI_SUCCESS;
}

int end(call& c, file& f, const void* buffer, MPI_Status* status, std::string_view name) {
  if (f.split.operation == nullptr || name != f.split.name) {
    const std::string begun =
        f.split.operation == nullptr ? "none has" : fmt::format("{}_begin has", f.split.name);
    return c.fail(MPI_ERR_OTHER, "{}: {} begun; expected {}_begin before", f.describe(), begun, name);
  }
  if (buffer != f.split.buffer)
    return c.fail(MPI_ERR_BUFFER, "{}: argument 2 (buf) is {}; expected {}, as {}_begin had", f.describe(),
                  buffer, f.split.buffer, name);
  io::background::operation& o = *f.split.operation;
  const std::lock_guard guard(c.process().gate());
  if (!c.process().core().p2p->wait(o, reason_for(c, f.comm(), MPI_PROC_NULL, 0, "a split collective")))
    wait_for_the_end();
  f.split = {};
  set_bytes(status, o.result.bytes);
  const int code = o.why().ok() ? MPI_SUCCESS : file_failed(c, f, o.why());
  o.let_go();
  return code;
}

}  // namespace

int impl::File_read_at(call& c, file& f, std::int64_t offset, void* buf, std::int64_t count,
                       datatype& datatype, MPI_Status* status) {
  return access(c, f, at.reads(), offset, data_of(buf, count, datatype), status);
}

int impl::File_read_at_all(call& c, file& f, std::int64_t offset, void* buf, std::int64_t count,
                           datatype& datatype, MPI_Status* status) {
  return access(c, f, at_all.reads(), offset, data_of(buf, count, datatype), status);
}

int impl::File_read(call& c, file& f, void* buf, std::int64_t count, datatype& datatype, MPI_Status* status) {
  return access(c, f, own.reads(), 0, data_of(buf, count, datatype), status);
}

int impl::File_read_all(call& c, file& f, void* buf, std::int64_t count, datatype& datatype,
                        MPI_Status* status) {
  return access(c, f, own_all.reads(), 0, data_of(buf, count, datatype), status);
}

int impl::File_read_shared(call& c, file& f, void* buf, std::int64_t count, datatype& datatype,
                           MPI_Status* status) {
  return access(c, f, shared.reads(), 0, data_of(buf, count, datatype), status);
}

int impl::File_read_ordered(call& c, file& f, void* buf, std::int64_t count, datatype& datatype,
                            MPI_Status* status) {
  return access(c, f, ordered.reads(), 0, data_of(buf, count, datatype), status);
}

int impl::File_iread_at(call& c, file& f, std::int64_t offset, void* buf, std::int64_t count,
                        datatype& datatype, MPI_Request* request) {
  return start(c, f, at.reads(), offset, data_of(buf, count, datatype), request);
}

int impl::File_iread_at_all(call& c, file& f, std::int64_t offset, void* buf, std::int64_t count,
                            datatype& datatype, MPI_Request* request) {
  return start(c, f, at_all.reads(), offset, data_of(buf, count, datatype), request);
}

int impl::File_iread(call& c, file& f, void* buf, std::int64_t count, datatype& datatype,
                     MPI_Request* request) {
  return start(c, f, own.reads(), 0, data_of(buf, count, datatype), request);
}

int impl::File_iread_all(call& c, file& f, void* buf, std::int64_t count, datatype& datatype,
                         MPI_Request* request) {
  return start(c, f, own_all.reads(), 0, data_of(buf, count, datatype), request);
}

int impl::File_iread_shared(call& c, file& f, void* buf, std::int64_t count, datatype& datatype,
                            MPI_Request* request) {
  return start(c, f, shared.reads(), 0, data_of(buf, count, datatype), request);
}

int impl::File_read_at_all_begin(call& c, file& f, std::int64_t offset, void* buf, std::int64_t count,
                                 datatype& datatype) {
  return begin(c, f, at_all.reads(), offset, data_of(buf, count, datatype), "MPI_File_read_at_all");
}

int impl::File_read_at_all_end(call& c, file& f, void* buf, MPI_Status* status) {
  return end(c, f, buf, status, "MPI_File_read_at_all");
}

int impl::File_read_all_begin(call& c, file& f, void* buf, std::int64_t count, datatype& datatype) {
  return begin(c, f, own_all.reads(), 0, data_of(buf, count, datatype), "MPI_File_read_all");
}

int impl::File_read_all_end(call& c, file& f, void* buf, MPI_Status* status) {
  return end(c, f, buf, status, "MPI_File_read_all");
}

int impl::File_read_ordered_begin(call& c, file& f, void* buf, std::int64_t count, datatype& datatype) {
  return begin(c, f, ordered.reads(), 0, data_of(buf, count, datatype), "MPI_File_read_ordered");
}

int impl::File_read_ordered_end(call& c, file& f, void* buf, MPI_Status* status) {
  return end(c, f, buf, status, "MPI_File_read_ordered");
}

int impl::File_write_at(call& c, file& f, std::int64_t offset, const void* buf, std::int64_t count,
                        datatype& datatype, MPI_Status* status) {
  return access(c, f, at.writes(), offset, data_of(buf, count, datatype), status);
}

int impl::File_write_at_all(call& c, file& f, std::int64_t offset, const void* buf, std::int64_t count,
                            datatype& datatype, MPI_Status* status) {
  return access(c, f, at_all.writes(), offset, data_of(buf, count, datatype), status);
}

int impl::File_write(call& c, file& f, const void* buf, std::int64_t count, datatype& datatype,
                     MPI_Status* status) {
  return access(c, f, own.writes(), 0, data_of(buf, count, datatype), status);
}

int impl::File_write_all(call& c, file& f, const void* buf, std::int64_t count, datatype& datatype,
                         MPI_Status* status) {
  return access(c, f, own_all.writes(), 0, data_of(buf, count, datatype), status);
}

int impl::File_write_shared(call& c, file& f, const void* buf, std::int64_t count, datatype& datatype,
                            MPI_Status* status) {
  return access(c, f, shared.writes(), 0, data_of(buf, count, datatype), status);
}

int impl::File_write_ordered(call& c, file& f, const void* buf, std::int64_t count, datatype& datatype,
                             MPI_Status* status) {
  return access(c, f, ordered.writes(), 0, data_of(buf, count, datatype), status);
}

int impl::File_iwrite_at(call& c, file& f, std::int64_t offset, const void* buf, std::int64_t count,
                         datatype& datatype, MPI_Request* request) {
  return start(c, f, at.writes(), offset, data_of(buf, count, datatype), request);
}

int impl::File_iwrite_at_all(call& c, file& f, std::int64_t offset, const void* buf, std::int64_t count,
                             datatype& datatype, MPI_Request* request) {
  return start(c, f, at_all.writes(), offset, data_of(buf, count, datatype), request);
}

int impl::File_iwrite(call& c, file& f, const void* buf, std::int64_t count, datatype& datatype,
                      MPI_Request* request) {
  return start(c, f, own.writes(), 0, data_of(buf, count, datatype), request);
}

int impl::File_iwrite_all(call& c, file& f, const void* buf, std::int64_t count, datatype& datatype,
                          MPI_Request* request) {
  return start(c, f, own_all.writes(), 0, data_of(buf, count, datatype), request);
}

int impl::File_iwrite_shared(call& c, file& f, const void* buf, std::int64_t count, datatype& datatype,
                             MPI_Request* request) {
  return start(c, f, shared.writes(), 0, data_of(buf, count, datatype), request);
}

int impl::File_write_at_all_begin(call& c, file& f, std::int64_t offset, const void* buf, std::int64_t count,
                                  datatype& datatype) {
  return begin(c, f, at_all.writes(), offset, data_of(buf, count, datatype), "MPI_File_write_at_all");
}

int impl::File_write_at_all_end(call& c, file& f, const void* buf, MPI_Status* status) {
  return end(c, f, buf, status, "MPI_File_write_at_all");
}

int impl::File_write_all_begin(call& c, file& f, const void* buf, std::int64_t count, datatype& datatype) {
  return begin(c, f, own_all.writes(), 0, data_of(buf, count, datatype), "MPI_File_write_all");
}

int impl::File_write_all_end(call& c, file& f, const void* buf, MPI_Status* status) {
  return end(c, f, buf, status, "MPI_File_write_all");
}

int impl::File_write_ordered_begin(call& c, file& f, const void* buf, std::int64_t count,
                                   datatype& datatype) {
  return begin(c, f, ordered.writes(), 0, data_of(buf, count, datatype), "MPI_File_write_ordered");
}

int impl::File_write_ordered_end(call& c, file& f, const void* buf, MPI_Status* status) {
  return end(c, f, buf, status, "MPI_File_write_ordered");
}

}  // namespace loadstone::mpi
