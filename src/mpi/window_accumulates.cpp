// Accumulates (MPI §12.3.4): they change the target's data, atomically for each element.
#include "mpi/generated/impl.hpp"
#include "mpi/layout_slice.hpp"
#include "mpi/op_object.hpp"
#include "mpi/window_operation.hpp"
#include "rma/accumulate.hpp"

namespace loadstone::mpi {
namespace {

using core_type = loadstone::datatype::type;
using loadstone::datatype::named_kind;

std::string name_of(named_kind kind) {
  using loadstone::datatype::basic;
  if (kind.value == basic::none) return "several datatypes";
  const char* const value = loadstone::datatype::info(kind.value).name;
  if (kind.index == basic::none) return value;
  return fmt::format("pairs of {} and {}", value, loadstone::datatype::info(kind.index).name);
}

// Are both made of one predefined datatype, the same?
int check_kinds(call& c, const char* name, const core_type& type, const char* other_name,
                const core_type& other) {
  const named_kind wanted = other.single_named();
  if (wanted == named_kind{}) {
    return c.fail(MPI_ERR_TYPE, "{} is made of several datatypes; expected one predefined datatype",
                  argument(c, other_name));
  }
  if (type.single_named() == wanted) [[likely]]
    return MPI_SUCCESS;
  return c.fail(MPI_ERR_TYPE, "{} is made of {}; expected {}, as {} is", argument(c, name),
                name_of(type.single_named()), name_of(wanted), argument(c, other_name));
}

int check_op(call& c, const op& op, named_kind element, bool fetches) {
  if (!op.predefined())
    return c.fail(MPI_ERR_OP, "{} is an operation of the program; expected a predefined one",
                  argument(c, "op"));
  if (!fetches && op.core()->kind() == loadstone::datatype::op_kind::no_op)
    return c.fail(MPI_ERR_OP, "{} is MPI_NO_OP, which is for calls that fetch only", argument(c, "op"));
  if (!op.core()->defined_on(element))
    return c.fail(MPI_ERR_OP, "{} is {}, which is not defined on {}", argument(c, "op"), op.core()->name(),
                  name_of(element));
  return MPI_SUCCESS;
}

// The buffers of origin and result have to be disjoint (MPI §12.3.4). Is a byte of the one
// certainly one of the other, too? Layouts that are interleaved may share bytes and are not looked
// into.
bool overlap(const rma::local_data& a, const rma::local_data& b) {
  if (a.bytes() == 0 || b.bytes() == 0 || a.type->extent() < 0 || b.type->extent() < 0) return false;
  const auto first = reinterpret_cast<std::uintptr_t>(a.type->block_at(a.address)),
             second = reinterpret_cast<std::uintptr_t>(b.type->block_at(b.address));
  if (first == second) return true;
  return a.type->in_one_block(a.count) && b.type->in_one_block(b.count) &&
         first < second + static_cast<std::uintptr_t>(b.bytes()) &&
         second < first + static_cast<std::uintptr_t>(a.bytes());
}

int check_disjoint(call& c, const rma::local_data& origin, const rma::local_data& result,
                   int result_position) {
  if (!overlap(origin, result)) [[likely]]
    return MPI_SUCCESS;
  return c.fail(
      MPI_ERR_BUFFER,
      "arguments 1 (origin_addr, {}) and {} (result_addr, {}) overlap; expected two buffers that do "
      "not",
      origin.address, result_position, result.address);
}

// The same of one element each.
int check_disjoint(call& c, const void* origin, void* result, const core_type& type, int result_position) {
  return check_disjoint(c, {const_cast<void*>(origin), 1, &type}, {result, 1, &type}, result_position);
}

int done(call& c, const window& win, int rank, std::int64_t disp, const rma::trouble& result) {
  return result.ok() ? MPI_SUCCESS : operation_failed(c, win, rank, disp, result);
}

int accumulate(call& c, const void* address, std::int64_t count, const datatype& type, int rank,
               std::int64_t disp, std::int64_t target_count, const datatype& target_type, const op& op,
               window& win) {
  const rma::local_data origin{const_cast<void*>(address), count, type.core()};
  const rma::remote_data where{disp, target_count, target_type.core()};
  if (origin.bytes() == 0 && where.bytes() == 0) return MPI_SUCCESS;
  if (const int error = check_kinds(c, "origin_datatype", *origin.type, "target_datatype", *where.type))
    return error;
  if (const int error = check_op(c, op, where.type->single_named(), false)) return error;
  if (origin.bytes() == where.bytes()) [[likely]]
    return done(c, win, rank, disp, rma::accumulate(win.core(), rank, origin, nullptr, where, *op.core()));
  if (origin.bytes() > where.bytes()) return too_long(c, "origin", origin.bytes(), "target", where.bytes());
  layout_slice part;
  if (const base::status why = part.cut(where.count, *where.type, 0, origin.bytes()); !why.ok())
    return no_slice(c, why);
  return done(
      c, win, rank, disp,
      rma::accumulate(win.core(), rank, origin, nullptr, {disp, part.count(), part.type()}, *op.core()));
}

// The bytes [from, from + bytes) of target and result. The origin has just so many.
int fetch_part(call& c, const rma::local_data& origin, const rma::local_data& result, int rank,
               const rma::remote_data& where, const loadstone::datatype::op& op, window& win,
               std::int64_t from, std::int64_t bytes) {
  layout_slice there, here;
  base::status why = there.cut(where.count, *where.type, from, bytes);
  if (why.ok()) why = here.cut(result.count, *result.type, from, bytes);
  if (!why.ok()) return no_slice(c, why);
  const rma::local_data fetched{result.address, here.count(), here.type()};
  return done(c, win, rank, where.displacement,
              rma::accumulate(win.core(), rank, origin, &fetched,
                              {where.displacement, there.count(), there.type()}, op));
}

int get_accumulate(call& c, const void* address, std::int64_t count, const datatype& type,
                   void* result_address, std::int64_t result_count, const datatype& result_type, int rank,
                   std::int64_t disp, std::int64_t target_count, const datatype& target_type, const op& op,
                   window& win) {
  const bool reads = op.core()->kind() != loadstone::datatype::op_kind::no_op;
  const rma::local_data result{result_address, result_count, result_type.core()};
  const rma::remote_data where{disp, target_count, target_type.core()};
  const rma::local_data origin = reads ? rma::local_data{const_cast<void*>(address), count, type.core()}
                                       : rma::local_data{nullptr, 0, result.type};
  if (origin.bytes() == 0 && where.bytes() == 0) return MPI_SUCCESS;
  if (const int error = check_kinds(c, "result_datatype", *result.type, "target_datatype", *where.type))
    return error;
  if (reads) {
    if (const int error = check_kinds(c, "origin_datatype", *origin.type, "target_datatype", *where.type))
      return error;
  }
  if (const int error = check_op(c, op, where.type->single_named(), true)) return error;
  if (const int error = check_disjoint(c, origin, result, 4)) return error;
  if (where.bytes() == result.bytes() && (!reads || origin.bytes() == where.bytes())) [[likely]]
    return done(c, win, rank, disp, rma::accumulate(win.core(), rank, origin, &result, where, *op.core()));
  if (where.bytes() > result.bytes()) return too_long(c, "target", where.bytes(), "result", result.bytes());
  if (reads && origin.bytes() > where.bytes())
    return too_long(c, "origin", origin.bytes(), "target", where.bytes());
  // All of the target is fetched, and the first of it changed.
  const std::int64_t changed = reads ? origin.bytes() : 0, all = where.bytes();
  if (changed > 0) {
    if (const int error = fetch_part(c, origin, result, rank, where, *op.core(), win, 0, changed))
      return error;
  }
  if (changed == all) return MPI_SUCCESS;
  static const auto& no_op = *loadstone::datatype::predefined_op(static_cast<int>(handle_bits(MPI_NO_OP)));
  return fetch_part(c, {nullptr, 0, result.type}, result, rank, where, no_op, win, changed, all - changed);
}

}  // namespace

int impl::Accumulate(call& c, const void* origin_addr, std::int64_t origin_count, datatype& origin_datatype,
                     int target_rank, std::int64_t target_disp, std::int64_t target_count,
                     datatype& target_datatype, op& op, window& win) {
  if (const int error = enter(c, win, target_rank)) return error;
  if (target_rank == MPI_PROC_NULL) return MPI_SUCCESS;
  return accumulate(c, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                    target_datatype, op, win);
}

int impl::Raccumulate(call& c, const void* origin_addr, std::int64_t origin_count, datatype& origin_datatype,
                      int target_rank, std::int64_t target_disp, std::int64_t target_count,
                      datatype& target_datatype, op& op, window& win, MPI_Request* request) {
  return by_request(c, win, target_rank, request, [&] {
    return accumulate(c, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                      target_datatype, op, win);
  });
}

int impl::Get_accumulate(call& c, const void* origin_addr, std::int64_t origin_count,
                         datatype& origin_datatype, void* result_addr, std::int64_t result_count,
                         datatype& result_datatype, int target_rank, std::int64_t target_disp,
                         std::int64_t target_count, datatype& target_datatype, op& op, window& win) {
  if (const int error = enter(c, win, target_rank)) return error;
  if (target_rank == MPI_PROC_NULL) return MPI_SUCCESS;
  return get_accumulate(c, origin_addr, origin_count, origin_datatype, result_addr, result_count,
                        result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
}

int impl::Rget_accumulate(call& c, const void* origin_addr, std::int64_t origin_count,
                          datatype& origin_datatype, void* result_addr, std::int64_t result_count,
                          datatype& result_datatype, int target_rank, std::int64_t target_disp,
                          std::int64_t target_count, datatype& target_datatype, op& op, window& win,
                          MPI_Request* request) {
  return by_request(c, win, target_rank, request, [&] {
    return get_accumulate(c, origin_addr, origin_count, origin_datatype, result_addr, result_count,
                          result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
  });
}

int impl::Fetch_and_op(call& c, const void* origin_addr, void* result_addr, datatype& datatype,
                       int target_rank, std::int64_t target_disp, op& op, window& win) {
  c.aims_at(target_rank);
  if (!datatype.predefined()) {
    return c.fail(MPI_ERR_TYPE,
                  "argument 3 (datatype) has been made by the program; expected a predefined one");
  }
  if (const int error = enter(c, win, target_rank)) return error;
  if (target_rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (const int error = check_op(c, op, datatype.core()->single_named(), true)) return error;
  if (op.core()->kind() != loadstone::datatype::op_kind::no_op)
    if (const int error = check_disjoint(c, origin_addr, result_addr, *datatype.core(), 2)) return error;
  return done(c, win, target_rank, target_disp,
              rma::fetch_and_op(win.core(), target_rank, origin_addr, result_addr, *datatype.core(),
                                target_disp, *op.core()));
}

int impl::Compare_and_swap(call& c, const void* origin_addr, const void* compare_addr, void* result_addr,
                           datatype& datatype, int target_rank, std::int64_t target_disp, window& win) {
  c.aims_at(target_rank);
  if (!datatype.compares()) {
    return c.fail(
        MPI_ERR_TYPE,
        "argument 4 (datatype) is {}; expected a predefined integer, logical, multi-language or byte "
        "type",
        datatype.predefined() ? name_of(datatype.core()->single_named()) : "one that the program has made");
  }
  if (const int error = enter(c, win, target_rank)) return error;
  if (target_rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (const int error = check_disjoint(c, origin_addr, result_addr, *datatype.core(), 3)) return error;
  return done(c, win, target_rank, target_disp,
              rma::compare_and_swap(win.core(), target_rank, origin_addr, compare_addr, result_addr,
                                    *datatype.core(), target_disp));
}

}  // namespace loadstone::mpi
