// Written by abi/generate.py; do not edit.
// clang-format off

// What implements the API: one function for MPI_X and MPI_X_c unless their meaning differs. A
// function is part of the library as soon as src/mpi has a definition of it (`int impl::X(` at
// line start) and the generator has run.
#pragma once

#include <cstdint>

#include "base/integers.hpp"
#include "mpi.h"

namespace loadstone::mpi {

class call;
class communicator;
class datatype;
class errhandler;
class file;
class group;
class info;
class message;
class op;
class request;
class session;
class window;

namespace impl {

int Abi_get_fortran_booleans(call& c, int logical_size, void *logical_true, void *logical_false, int *is_set);
int Abi_get_fortran_info(call& c, MPI_Info *info);
int Abi_get_info(call& c, MPI_Info *info);
int Abi_get_version(call& c, int *abi_major, int *abi_minor);
int Abi_set_fortran_booleans(call& c, int logical_size, void *logical_true, void *logical_false);
int Abi_set_fortran_info(call& c, mpi::info* info);
int Abort(call& c, MPI_Comm comm, int errorcode);
int Accumulate(call& c, const void *origin_addr, std::int64_t origin_count, mpi::datatype& origin_datatype,
    int target_rank, std::int64_t target_disp, std::int64_t target_count, mpi::datatype& target_datatype,
    mpi::op& op, mpi::window& win);
int Add_error_class(call& c, int *errorclass);
int Add_error_code(call& c, int errorclass, int *errorcode);
int Add_error_string(call& c, int errorcode, const char *string);
int Allgather(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm);
int Allgather_init(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm, mpi::info* info,
    MPI_Request *request);
int Allgatherv(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    base::integers recvcounts, base::integers displs, mpi::datatype& recvtype, mpi::communicator& comm);
int Allgatherv_init(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, base::integers recvcounts, base::integers displs, mpi::datatype& recvtype,
    mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Alloc_mem(call& c, std::int64_t size, mpi::info* info, void *baseptr);
int Allreduce(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, mpi::communicator& comm);
int Allreduce_init(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Alltoall(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm);
int Alltoall_init(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm, mpi::info* info,
    MPI_Request *request);
int Alltoallv(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    mpi::datatype& sendtype, void *recvbuf, base::integers recvcounts, base::integers rdispls,
    mpi::datatype& recvtype, mpi::communicator& comm);
int Alltoallv_init(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    mpi::datatype& sendtype, void *recvbuf, base::integers recvcounts, base::integers rdispls,
    mpi::datatype& recvtype, mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Alltoallw(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    const MPI_Datatype sendtypes[], void *recvbuf, base::integers recvcounts, base::integers rdispls,
    const MPI_Datatype recvtypes[], mpi::communicator& comm);
int Alltoallw_init(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    const MPI_Datatype sendtypes[], void *recvbuf, base::integers recvcounts, base::integers rdispls,
    const MPI_Datatype recvtypes[], mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Barrier(call& c, mpi::communicator& comm);
int Barrier_init(call& c, mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Bcast(call& c, void *buffer, std::int64_t count, mpi::datatype& datatype, int root,
    mpi::communicator& comm);
int Bcast_init(call& c, void *buffer, std::int64_t count, mpi::datatype& datatype, int root,
    mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Bsend(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm);
int Bsend_init(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm, MPI_Request *request);
int Buffer_attach(call& c, void *buffer, std::int64_t size);
int Buffer_detach(call& c, void *buffer_addr, std::int64_t* size);
int Buffer_flush(call& c);
int Buffer_iflush(call& c, MPI_Request *request);
int Cancel(call& c, MPI_Request *request);
int Cart_coords(call& c, mpi::communicator& comm, int rank, int maxdims, int coords[]);
int Cart_create(call& c, mpi::communicator& comm_old, int ndims, const int dims[], const int periods[],
    int reorder, MPI_Comm *comm_cart);
int Cart_get(call& c, mpi::communicator& comm, int maxdims, int dims[], int periods[], int coords[]);
int Cart_map(call& c, mpi::communicator& comm, int ndims, const int dims[], const int periods[],
    int *newrank);
int Cart_rank(call& c, mpi::communicator& comm, const int coords[], int *rank);
int Cart_shift(call& c, mpi::communicator& comm, int direction, int disp, int *rank_source, int *rank_dest);
int Cart_sub(call& c, mpi::communicator& comm, const int remain_dims[], MPI_Comm *newcomm);
int Cartdim_get(call& c, mpi::communicator& comm, int *ndims);
int Close_port(call& c, const char *port_name);
int Comm_accept(call& c, const char *port_name, mpi::info* info, int root, mpi::communicator& comm,
    MPI_Comm *newcomm);
int Comm_attach_buffer(call& c, mpi::communicator& comm, void *buffer, std::int64_t size);
int Comm_call_errhandler(call& c, mpi::communicator& comm, int errorcode);
int Comm_compare(call& c, mpi::communicator& comm1, mpi::communicator& comm2, int *result);
int Comm_connect(call& c, const char *port_name, mpi::info* info, int root, mpi::communicator& comm,
    MPI_Comm *newcomm);
int Comm_create(call& c, mpi::communicator& comm, mpi::group& group, MPI_Comm *newcomm);
int Comm_create_errhandler(call& c, MPI_Comm_errhandler_function *comm_errhandler_fn,
    MPI_Errhandler *errhandler);
int Comm_create_from_group(call& c, mpi::group& group, const char *stringtag, mpi::info* info,
    mpi::errhandler& errhandler, MPI_Comm *newcomm);
int Comm_create_group(call& c, mpi::communicator& comm, mpi::group& group, int tag, MPI_Comm *newcomm);
int Comm_create_keyval(call& c, MPI_Comm_copy_attr_function *comm_copy_attr_fn,
    MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval, void *extra_state);
int Comm_delete_attr(call& c, mpi::communicator& comm, int comm_keyval);
int Comm_detach_buffer(call& c, mpi::communicator& comm, void *buffer_addr, std::int64_t* size);
int Comm_disconnect(call& c, mpi::communicator& comm);
int Comm_dup(call& c, mpi::communicator& comm, MPI_Comm *newcomm);
int Comm_dup_with_info(call& c, mpi::communicator& comm, mpi::info* info, MPI_Comm *newcomm);
int Comm_flush_buffer(call& c, mpi::communicator& comm);
int Comm_free(call& c, mpi::communicator& comm);
int Comm_free_keyval(call& c, int *comm_keyval);
int Comm_get_attr(call& c, mpi::communicator& comm, int comm_keyval, void *attribute_val, int *flag);
int Comm_get_errhandler(call& c, mpi::communicator& comm, MPI_Errhandler *errhandler);
int Comm_get_info(call& c, mpi::communicator& comm, MPI_Info *info_used);
int Comm_get_name(call& c, MPI_Comm comm, char *comm_name, int *resultlen);
int Comm_get_parent(call& c, MPI_Comm *parent);
int Comm_group(call& c, mpi::communicator& comm, MPI_Group *group);
int Comm_idup(call& c, mpi::communicator& comm, MPI_Comm *newcomm, MPI_Request *request);
int Comm_idup_with_info(call& c, mpi::communicator& comm, mpi::info* info, MPI_Comm *newcomm,
    MPI_Request *request);
int Comm_iflush_buffer(call& c, mpi::communicator& comm, MPI_Request *request);
int Comm_join(call& c, int fd, MPI_Comm *intercomm);
int Comm_rank(call& c, mpi::communicator& comm, int *rank);
int Comm_remote_group(call& c, mpi::communicator& comm, MPI_Group *group);
int Comm_remote_size(call& c, mpi::communicator& comm, int *size);
int Comm_set_attr(call& c, mpi::communicator& comm, int comm_keyval, void *attribute_val);
int Comm_set_errhandler(call& c, mpi::communicator& comm, mpi::errhandler& errhandler);
int Comm_set_info(call& c, mpi::communicator& comm, mpi::info* info);
int Comm_set_name(call& c, mpi::communicator& comm, const char *comm_name);
int Comm_size(call& c, mpi::communicator& comm, int *size);
int Comm_spawn(call& c, const char *command, char *argv[], int maxprocs, MPI_Info info, int root,
    mpi::communicator& comm, MPI_Comm *intercomm, int array_of_errcodes[]);
int Comm_spawn_multiple(call& c, int count, char *array_of_commands[], char **array_of_argv[],
    const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, mpi::communicator& comm,
    MPI_Comm *intercomm, int array_of_errcodes[]);
int Comm_split(call& c, mpi::communicator& comm, int color, int key, MPI_Comm *newcomm);
int Comm_split_type(call& c, mpi::communicator& comm, int split_type, int key, mpi::info* info,
    MPI_Comm *newcomm);
int Comm_test_inter(call& c, mpi::communicator& comm, int *flag);
int Compare_and_swap(call& c, const void *origin_addr, const void *compare_addr, void *result_addr,
    mpi::datatype& datatype, int target_rank, std::int64_t target_disp, mpi::window& win);
int Dims_create(call& c, int nnodes, int ndims, int dims[]);
int Dist_graph_create(call& c, mpi::communicator& comm_old, int n, const int sources[], const int degrees[],
    const int destinations[], const int weights[], mpi::info* info, int reorder, MPI_Comm *comm_dist_graph);
int Dist_graph_create_adjacent(call& c, mpi::communicator& comm_old, int indegree, const int sources[],
    const int sourceweights[], int outdegree, const int destinations[], const int destweights[],
    mpi::info* info, int reorder, MPI_Comm *comm_dist_graph);
int Dist_graph_neighbors(call& c, mpi::communicator& comm, int maxindegree, int sources[],
    int sourceweights[], int maxoutdegree, int destinations[], int destweights[]);
int Dist_graph_neighbors_count(call& c, mpi::communicator& comm, int *indegree, int *outdegree,
    int *weighted);
int Errhandler_free(call& c, mpi::errhandler& errhandler);
int Error_class(call& c, int errorcode, int *errorclass);
int Error_string(call& c, int errorcode, char *string, int *resultlen);
int Exscan(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, mpi::communicator& comm);
int Exscan_init(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Fetch_and_op(call& c, const void *origin_addr, void *result_addr, mpi::datatype& datatype,
    int target_rank, std::int64_t target_disp, mpi::op& op, mpi::window& win);
int File_call_errhandler(call& c, MPI_File fh, int errorcode);
int File_close(call& c, mpi::file& fh);
int File_create_errhandler(call& c, MPI_File_errhandler_function *file_errhandler_fn,
    MPI_Errhandler *errhandler);
int File_delete(call& c, const char *filename, mpi::info* info);
int File_get_amode(call& c, mpi::file& fh, int *amode);
int File_get_atomicity(call& c, mpi::file& fh, int *flag);
int File_get_byte_offset(call& c, mpi::file& fh, std::int64_t offset, std::int64_t* disp);
int File_get_errhandler(call& c, MPI_File file, MPI_Errhandler *errhandler);
int File_get_group(call& c, mpi::file& fh, MPI_Group *group);
int File_get_info(call& c, mpi::file& fh, MPI_Info *info_used);
int File_get_position(call& c, mpi::file& fh, std::int64_t* offset);
int File_get_position_shared(call& c, mpi::file& fh, std::int64_t* offset);
int File_get_size(call& c, mpi::file& fh, std::int64_t* size);
int File_get_type_extent(call& c, mpi::file& fh, mpi::datatype& datatype, std::int64_t* extent);
int File_get_view(call& c, mpi::file& fh, std::int64_t* disp, MPI_Datatype *etype, MPI_Datatype *filetype,
    char *datarep);
int File_iread(call& c, mpi::file& fh, void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Request *request);
int File_iread_all(call& c, mpi::file& fh, void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Request *request);
int File_iread_at(call& c, mpi::file& fh, std::int64_t offset, void *buf, std::int64_t count,
    mpi::datatype& datatype, MPI_Request *request);
int File_iread_at_all(call& c, mpi::file& fh, std::int64_t offset, void *buf, std::int64_t count,
    mpi::datatype& datatype, MPI_Request *request);
int File_iread_shared(call& c, mpi::file& fh, void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Request *request);
int File_iwrite(call& c, mpi::file& fh, const void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Request *request);
int File_iwrite_all(call& c, mpi::file& fh, const void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Request *request);
int File_iwrite_at(call& c, mpi::file& fh, std::int64_t offset, const void *buf, std::int64_t count,
    mpi::datatype& datatype, MPI_Request *request);
int File_iwrite_at_all(call& c, mpi::file& fh, std::int64_t offset, const void *buf, std::int64_t count,
    mpi::datatype& datatype, MPI_Request *request);
int File_iwrite_shared(call& c, mpi::file& fh, const void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Request *request);
int File_open(call& c, mpi::communicator& comm, const char *filename, int amode, mpi::info* info,
    MPI_File *fh);
int File_preallocate(call& c, mpi::file& fh, std::int64_t size);
int File_read(call& c, mpi::file& fh, void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Status *status);
int File_read_all(call& c, mpi::file& fh, void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Status *status);
int File_read_all_begin(call& c, mpi::file& fh, void *buf, std::int64_t count, mpi::datatype& datatype);
int File_read_all_end(call& c, mpi::file& fh, void *buf, MPI_Status *status);
int File_read_at(call& c, mpi::file& fh, std::int64_t offset, void *buf, std::int64_t count,
    mpi::datatype& datatype, MPI_Status *status);
int File_read_at_all(call& c, mpi::file& fh, std::int64_t offset, void *buf, std::int64_t count,
    mpi::datatype& datatype, MPI_Status *status);
int File_read_at_all_begin(call& c, mpi::file& fh, std::int64_t offset, void *buf, std::int64_t count,
    mpi::datatype& datatype);
int File_read_at_all_end(call& c, mpi::file& fh, void *buf, MPI_Status *status);
int File_read_ordered(call& c, mpi::file& fh, void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Status *status);
int File_read_ordered_begin(call& c, mpi::file& fh, void *buf, std::int64_t count, mpi::datatype& datatype);
int File_read_ordered_end(call& c, mpi::file& fh, void *buf, MPI_Status *status);
int File_read_shared(call& c, mpi::file& fh, void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Status *status);
int File_seek(call& c, mpi::file& fh, std::int64_t offset, int whence);
int File_seek_shared(call& c, mpi::file& fh, std::int64_t offset, int whence);
int File_set_atomicity(call& c, mpi::file& fh, int flag);
int File_set_errhandler(call& c, MPI_File file, mpi::errhandler& errhandler);
int File_set_info(call& c, mpi::file& fh, mpi::info* info);
int File_set_size(call& c, mpi::file& fh, std::int64_t size);
int File_set_view(call& c, mpi::file& fh, std::int64_t disp, mpi::datatype& etype, mpi::datatype& filetype,
    const char *datarep, mpi::info* info);
int File_sync(call& c, mpi::file& fh);
int File_write(call& c, mpi::file& fh, const void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Status *status);
int File_write_all(call& c, mpi::file& fh, const void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Status *status);
int File_write_all_begin(call& c, mpi::file& fh, const void *buf, std::int64_t count,
    mpi::datatype& datatype);
int File_write_all_end(call& c, mpi::file& fh, const void *buf, MPI_Status *status);
int File_write_at(call& c, mpi::file& fh, std::int64_t offset, const void *buf, std::int64_t count,
    mpi::datatype& datatype, MPI_Status *status);
int File_write_at_all(call& c, mpi::file& fh, std::int64_t offset, const void *buf, std::int64_t count,
    mpi::datatype& datatype, MPI_Status *status);
int File_write_at_all_begin(call& c, mpi::file& fh, std::int64_t offset, const void *buf, std::int64_t count,
    mpi::datatype& datatype);
int File_write_at_all_end(call& c, mpi::file& fh, const void *buf, MPI_Status *status);
int File_write_ordered(call& c, mpi::file& fh, const void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Status *status);
int File_write_ordered_begin(call& c, mpi::file& fh, const void *buf, std::int64_t count,
    mpi::datatype& datatype);
int File_write_ordered_end(call& c, mpi::file& fh, const void *buf, MPI_Status *status);
int File_write_shared(call& c, mpi::file& fh, const void *buf, std::int64_t count, mpi::datatype& datatype,
    MPI_Status *status);
int Finalize(call& c);
int Finalized(call& c, int *flag);
int Free_mem(call& c, void *base);
int Gather(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    std::int64_t recvcount, mpi::datatype& recvtype, int root, mpi::communicator& comm);
int Gather_init(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    std::int64_t recvcount, mpi::datatype& recvtype, int root, mpi::communicator& comm, mpi::info* info,
    MPI_Request *request);
int Gatherv(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    base::integers recvcounts, base::integers displs, mpi::datatype& recvtype, int root,
    mpi::communicator& comm);
int Gatherv_init(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    base::integers recvcounts, base::integers displs, mpi::datatype& recvtype, int root,
    mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Get(call& c, void *origin_addr, std::int64_t origin_count, mpi::datatype& origin_datatype,
    int target_rank, std::int64_t target_disp, std::int64_t target_count, mpi::datatype& target_datatype,
    mpi::window& win);
int Get_accumulate(call& c, const void *origin_addr, std::int64_t origin_count,
    mpi::datatype& origin_datatype, void *result_addr, std::int64_t result_count,
    mpi::datatype& result_datatype, int target_rank, std::int64_t target_disp, std::int64_t target_count,
    mpi::datatype& target_datatype, mpi::op& op, mpi::window& win);
int Get_address(call& c, const void *location, std::int64_t* address);
int Get_count(call& c, const MPI_Status *status, mpi::datatype& datatype, std::int64_t* count);
int Get_elements(call& c, const MPI_Status *status, mpi::datatype& datatype, std::int64_t* count);
int Get_hw_resource_info(call& c, MPI_Info *hw_info);
int Get_library_version(call& c, char *version, int *resultlen);
int Get_processor_name(call& c, char *name, int *resultlen);
int Get_version(call& c, int *version, int *subversion);
int Graph_create(call& c, mpi::communicator& comm_old, int nnodes, const int indx[], const int edges[],
    int reorder, MPI_Comm *comm_graph);
int Graph_get(call& c, mpi::communicator& comm, int maxindex, int maxedges, int indx[], int edges[]);
int Graph_map(call& c, mpi::communicator& comm, int nnodes, const int indx[], const int edges[],
    int *newrank);
int Graph_neighbors(call& c, mpi::communicator& comm, int rank, int maxneighbors, int neighbors[]);
int Graph_neighbors_count(call& c, mpi::communicator& comm, int rank, int *nneighbors);
int Graphdims_get(call& c, mpi::communicator& comm, int *nnodes, int *nedges);
int Grequest_complete(call& c, MPI_Request request);
int Grequest_start(call& c, MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
    MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request);
int Group_compare(call& c, mpi::group& group1, mpi::group& group2, int *result);
int Group_difference(call& c, mpi::group& group1, mpi::group& group2, MPI_Group *newgroup);
int Group_excl(call& c, mpi::group& group, int n, const int ranks[], MPI_Group *newgroup);
int Group_free(call& c, mpi::group& group);
int Group_from_session_pset(call& c, mpi::session& session, const char *pset_name, MPI_Group *newgroup);
int Group_incl(call& c, mpi::group& group, int n, const int ranks[], MPI_Group *newgroup);
int Group_intersection(call& c, mpi::group& group1, mpi::group& group2, MPI_Group *newgroup);
int Group_range_excl(call& c, mpi::group& group, int n, int ranges[][3], MPI_Group *newgroup);
int Group_range_incl(call& c, mpi::group& group, int n, int ranges[][3], MPI_Group *newgroup);
int Group_rank(call& c, mpi::group& group, int *rank);
int Group_size(call& c, mpi::group& group, int *size);
int Group_translate_ranks(call& c, mpi::group& group1, int n, const int ranks1[], mpi::group& group2,
    int ranks2[]);
int Group_union(call& c, mpi::group& group1, mpi::group& group2, MPI_Group *newgroup);
int Iallgather(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm, MPI_Request *request);
int Iallgatherv(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    base::integers recvcounts, base::integers displs, mpi::datatype& recvtype, mpi::communicator& comm,
    MPI_Request *request);
int Iallreduce(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, mpi::communicator& comm, MPI_Request *request);
int Ialltoall(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm, MPI_Request *request);
int Ialltoallv(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    mpi::datatype& sendtype, void *recvbuf, base::integers recvcounts, base::integers rdispls,
    mpi::datatype& recvtype, mpi::communicator& comm, MPI_Request *request);
int Ialltoallw(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    const MPI_Datatype sendtypes[], void *recvbuf, base::integers recvcounts, base::integers rdispls,
    const MPI_Datatype recvtypes[], mpi::communicator& comm, MPI_Request *request);
int Ibarrier(call& c, mpi::communicator& comm, MPI_Request *request);
int Ibcast(call& c, void *buffer, std::int64_t count, mpi::datatype& datatype, int root,
    mpi::communicator& comm, MPI_Request *request);
int Ibsend(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm, MPI_Request *request);
int Iexscan(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, mpi::communicator& comm, MPI_Request *request);
int Igather(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    std::int64_t recvcount, mpi::datatype& recvtype, int root, mpi::communicator& comm, MPI_Request *request);
int Igatherv(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    base::integers recvcounts, base::integers displs, mpi::datatype& recvtype, int root,
    mpi::communicator& comm, MPI_Request *request);
int Improbe(call& c, int source, int tag, mpi::communicator& comm, int *flag, MPI_Message *message,
    MPI_Status *status);
int Imrecv(call& c, void *buf, std::int64_t count, mpi::datatype& datatype, MPI_Message *message,
    MPI_Request *request);
int Ineighbor_allgather(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm,
    MPI_Request *request);
int Ineighbor_allgatherv(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, base::integers recvcounts, base::integers displs, mpi::datatype& recvtype,
    mpi::communicator& comm, MPI_Request *request);
int Ineighbor_alltoall(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm,
    MPI_Request *request);
int Ineighbor_alltoallv(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    mpi::datatype& sendtype, void *recvbuf, base::integers recvcounts, base::integers rdispls,
    mpi::datatype& recvtype, mpi::communicator& comm, MPI_Request *request);
int Ineighbor_alltoallw(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    const MPI_Datatype sendtypes[], void *recvbuf, base::integers recvcounts, base::integers rdispls,
    const MPI_Datatype recvtypes[], mpi::communicator& comm, MPI_Request *request);
int Info_create(call& c, MPI_Info *info);
int Info_create_env(call& c, int argc, char *argv[], MPI_Info *info);
int Info_delete(call& c, mpi::info* info, const char *key);
int Info_dup(call& c, mpi::info* info, MPI_Info *newinfo);
int Info_free(call& c, mpi::info* info);
int Info_get(call& c, mpi::info* info, const char *key, int valuelen, char *value, int *flag);
int Info_get_nkeys(call& c, mpi::info* info, int *nkeys);
int Info_get_nthkey(call& c, mpi::info* info, int n, char *key);
int Info_get_string(call& c, mpi::info* info, const char *key, int *buflen, char *value, int *flag);
int Info_get_valuelen(call& c, mpi::info* info, const char *key, int *valuelen, int *flag);
int Info_set(call& c, mpi::info* info, const char *key, const char *value);
int Init(call& c, int *argc, char ***argv);
int Init_thread(call& c, int *argc, char ***argv, int required, int *provided);
int Initialized(call& c, int *flag);
int Intercomm_create(call& c, mpi::communicator& local_comm, int local_leader, MPI_Comm peer_comm,
    int remote_leader, int tag, MPI_Comm *newintercomm);
int Intercomm_create_from_groups(call& c, mpi::group& local_group, int local_leader, mpi::group& remote_group,
    int remote_leader, const char *stringtag, mpi::info* info, mpi::errhandler& errhandler,
    MPI_Comm *newintercomm);
int Intercomm_merge(call& c, mpi::communicator& intercomm, int high, MPI_Comm *newintracomm);
int Iprobe(call& c, int source, int tag, mpi::communicator& comm, int *flag, MPI_Status *status);
int Irecv(call& c, void *buf, std::int64_t count, mpi::datatype& datatype, int source, int tag,
    mpi::communicator& comm, MPI_Request *request);
int Ireduce(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, int root, mpi::communicator& comm, MPI_Request *request);
int Ireduce_scatter(call& c, const void *sendbuf, void *recvbuf, base::integers recvcounts,
    mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm, MPI_Request *request);
int Ireduce_scatter_block(call& c, const void *sendbuf, void *recvbuf, std::int64_t recvcount,
    mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm, MPI_Request *request);
int Irsend(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm, MPI_Request *request);
int Is_thread_main(call& c, int *flag);
int Iscan(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, mpi::communicator& comm, MPI_Request *request);
int Iscatter(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    std::int64_t recvcount, mpi::datatype& recvtype, int root, mpi::communicator& comm, MPI_Request *request);
int Iscatterv(call& c, const void *sendbuf, base::integers sendcounts, base::integers displs,
    mpi::datatype& sendtype, void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, int root,
    mpi::communicator& comm, MPI_Request *request);
int Isend(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm, MPI_Request *request);
int Isendrecv(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, int dest,
    int sendtag, void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, int source, int recvtag,
    mpi::communicator& comm, MPI_Request *request);
int Isendrecv_replace(call& c, void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int sendtag,
    int source, int recvtag, mpi::communicator& comm, MPI_Request *request);
int Issend(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm, MPI_Request *request);
int Lookup_name(call& c, const char *service_name, mpi::info* info, char *port_name);
int Mprobe(call& c, int source, int tag, mpi::communicator& comm, MPI_Message *message, MPI_Status *status);
int Mrecv(call& c, void *buf, std::int64_t count, mpi::datatype& datatype, MPI_Message *message,
    MPI_Status *status);
int Neighbor_allgather(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm);
int Neighbor_allgather_init(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm, mpi::info* info,
    MPI_Request *request);
int Neighbor_allgatherv(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, base::integers recvcounts, base::integers displs, mpi::datatype& recvtype,
    mpi::communicator& comm);
int Neighbor_allgatherv_init(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, base::integers recvcounts, base::integers displs, mpi::datatype& recvtype,
    mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Neighbor_alltoall(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm);
int Neighbor_alltoall_init(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype,
    void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, mpi::communicator& comm, mpi::info* info,
    MPI_Request *request);
int Neighbor_alltoallv(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    mpi::datatype& sendtype, void *recvbuf, base::integers recvcounts, base::integers rdispls,
    mpi::datatype& recvtype, mpi::communicator& comm);
int Neighbor_alltoallv_init(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    mpi::datatype& sendtype, void *recvbuf, base::integers recvcounts, base::integers rdispls,
    mpi::datatype& recvtype, mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Neighbor_alltoallw(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    const MPI_Datatype sendtypes[], void *recvbuf, base::integers recvcounts, base::integers rdispls,
    const MPI_Datatype recvtypes[], mpi::communicator& comm);
int Neighbor_alltoallw_init(call& c, const void *sendbuf, base::integers sendcounts, base::integers sdispls,
    const MPI_Datatype sendtypes[], void *recvbuf, base::integers recvcounts, base::integers rdispls,
    const MPI_Datatype recvtypes[], mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Op_commutative(call& c, mpi::op& op, int *commute);
int Op_create(call& c, MPI_User_function *user_fn, int commute, MPI_Op *op);
int Op_create_c(call& c, MPI_User_function_c *user_fn, int commute, MPI_Op *op);
int Op_free(call& c, mpi::op& op);
int Open_port(call& c, mpi::info* info, char *port_name);
int Pack(call& c, const void *inbuf, std::int64_t incount, mpi::datatype& datatype, void *outbuf,
    std::int64_t outsize, std::int64_t* position, mpi::communicator& comm);
int Pack_external(call& c, const char *datarep, const void *inbuf, std::int64_t incount,
    mpi::datatype& datatype, void *outbuf, std::int64_t outsize, std::int64_t* position);
int Pack_external_size(call& c, const char *datarep, std::int64_t incount, mpi::datatype& datatype,
    std::int64_t* size);
int Pack_size(call& c, std::int64_t incount, mpi::datatype& datatype, mpi::communicator& comm,
    std::int64_t* size);
int Parrived(call& c, MPI_Request request, int partition, int *flag);
int Pcontrol(call& c, int level);
int Pready(call& c, int partition, MPI_Request request);
int Pready_list(call& c, int length, const int array_of_partitions[], MPI_Request request);
int Pready_range(call& c, int partition_low, int partition_high, MPI_Request request);
int Precv_init(call& c, void *buf, int partitions, std::int64_t count, mpi::datatype& datatype, int dest,
    int tag, mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Probe(call& c, int source, int tag, mpi::communicator& comm, MPI_Status *status);
int Psend_init(call& c, const void *buf, int partitions, std::int64_t count, mpi::datatype& datatype,
    int dest, int tag, mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Publish_name(call& c, const char *service_name, mpi::info* info, const char *port_name);
int Put(call& c, const void *origin_addr, std::int64_t origin_count, mpi::datatype& origin_datatype,
    int target_rank, std::int64_t target_disp, std::int64_t target_count, mpi::datatype& target_datatype,
    mpi::window& win);
int Query_thread(call& c, int *provided);
int Raccumulate(call& c, const void *origin_addr, std::int64_t origin_count, mpi::datatype& origin_datatype,
    int target_rank, std::int64_t target_disp, std::int64_t target_count, mpi::datatype& target_datatype,
    mpi::op& op, mpi::window& win, MPI_Request *request);
int Recv(call& c, void *buf, std::int64_t count, mpi::datatype& datatype, int source, int tag,
    mpi::communicator& comm, MPI_Status *status);
int Recv_init(call& c, void *buf, std::int64_t count, mpi::datatype& datatype, int source, int tag,
    mpi::communicator& comm, MPI_Request *request);
int Reduce(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, int root, mpi::communicator& comm);
int Reduce_init(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, int root, mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Reduce_local(call& c, const void *inbuf, void *inoutbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op);
int Reduce_scatter(call& c, const void *sendbuf, void *recvbuf, base::integers recvcounts,
    mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm);
int Reduce_scatter_block(call& c, const void *sendbuf, void *recvbuf, std::int64_t recvcount,
    mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm);
int Reduce_scatter_block_init(call& c, const void *sendbuf, void *recvbuf, std::int64_t recvcount,
    mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Reduce_scatter_init(call& c, const void *sendbuf, void *recvbuf, base::integers recvcounts,
    mpi::datatype& datatype, mpi::op& op, mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Register_datarep(call& c, const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn,
    MPI_Datarep_conversion_function *write_conversion_fn, MPI_Datarep_extent_function *dtype_file_extent_fn,
    void *extra_state);
int Register_datarep_c(call& c, const char *datarep, MPI_Datarep_conversion_function_c *read_conversion_fn,
    MPI_Datarep_conversion_function_c *write_conversion_fn, MPI_Datarep_extent_function *dtype_file_extent_fn,
    void *extra_state);
int Remove_error_class(call& c, int errorclass);
int Remove_error_code(call& c, int errorcode);
int Remove_error_string(call& c, int errorcode);
int Request_free(call& c, MPI_Request *request);
int Request_get_status(call& c, MPI_Request request, int *flag, MPI_Status *status);
int Request_get_status_all(call& c, int count, const MPI_Request array_of_requests[], int *flag,
    MPI_Status *array_of_statuses);
int Request_get_status_any(call& c, int count, const MPI_Request array_of_requests[], int *indx, int *flag,
    MPI_Status *status);
int Request_get_status_some(call& c, int incount, const MPI_Request array_of_requests[], int *outcount,
    int array_of_indices[], MPI_Status *array_of_statuses);
int Rget(call& c, void *origin_addr, std::int64_t origin_count, mpi::datatype& origin_datatype,
    int target_rank, std::int64_t target_disp, std::int64_t target_count, mpi::datatype& target_datatype,
    mpi::window& win, MPI_Request *request);
int Rget_accumulate(call& c, const void *origin_addr, std::int64_t origin_count,
    mpi::datatype& origin_datatype, void *result_addr, std::int64_t result_count,
    mpi::datatype& result_datatype, int target_rank, std::int64_t target_disp, std::int64_t target_count,
    mpi::datatype& target_datatype, mpi::op& op, mpi::window& win, MPI_Request *request);
int Rput(call& c, const void *origin_addr, std::int64_t origin_count, mpi::datatype& origin_datatype,
    int target_rank, std::int64_t target_disp, std::int64_t target_count, mpi::datatype& target_datatype,
    mpi::window& win, MPI_Request *request);
int Rsend(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm);
int Rsend_init(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm, MPI_Request *request);
int Scan(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, mpi::communicator& comm);
int Scan_init(call& c, const void *sendbuf, void *recvbuf, std::int64_t count, mpi::datatype& datatype,
    mpi::op& op, mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Scatter(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    std::int64_t recvcount, mpi::datatype& recvtype, int root, mpi::communicator& comm);
int Scatter_init(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, void *recvbuf,
    std::int64_t recvcount, mpi::datatype& recvtype, int root, mpi::communicator& comm, mpi::info* info,
    MPI_Request *request);
int Scatterv(call& c, const void *sendbuf, base::integers sendcounts, base::integers displs,
    mpi::datatype& sendtype, void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, int root,
    mpi::communicator& comm);
int Scatterv_init(call& c, const void *sendbuf, base::integers sendcounts, base::integers displs,
    mpi::datatype& sendtype, void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, int root,
    mpi::communicator& comm, mpi::info* info, MPI_Request *request);
int Send(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm);
int Send_init(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm, MPI_Request *request);
int Sendrecv(call& c, const void *sendbuf, std::int64_t sendcount, mpi::datatype& sendtype, int dest,
    int sendtag, void *recvbuf, std::int64_t recvcount, mpi::datatype& recvtype, int source, int recvtag,
    mpi::communicator& comm, MPI_Status *status);
int Sendrecv_replace(call& c, void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int sendtag,
    int source, int recvtag, mpi::communicator& comm, MPI_Status *status);
int Session_attach_buffer(call& c, mpi::session& session, void *buffer, std::int64_t size);
int Session_call_errhandler(call& c, mpi::session& session, int errorcode);
int Session_create_errhandler(call& c, MPI_Session_errhandler_function *session_errhandler_fn,
    MPI_Errhandler *errhandler);
int Session_detach_buffer(call& c, mpi::session& session, void *buffer_addr, std::int64_t* size);
int Session_finalize(call& c, mpi::session& session);
int Session_flush_buffer(call& c, mpi::session& session);
int Session_get_errhandler(call& c, mpi::session& session, MPI_Errhandler *errhandler);
int Session_get_info(call& c, mpi::session& session, MPI_Info *info_used);
int Session_get_nth_pset(call& c, mpi::session& session, mpi::info* info, int n, int *pset_len,
    char *pset_name);
int Session_get_num_psets(call& c, mpi::session& session, mpi::info* info, int *npset_names);
int Session_get_pset_info(call& c, mpi::session& session, const char *pset_name, MPI_Info *info);
int Session_iflush_buffer(call& c, mpi::session& session, MPI_Request *request);
int Session_init(call& c, mpi::info* info, mpi::errhandler& errhandler, MPI_Session *session);
int Session_set_errhandler(call& c, mpi::session& session, mpi::errhandler& errhandler);
int Ssend(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm);
int Ssend_init(call& c, const void *buf, std::int64_t count, mpi::datatype& datatype, int dest, int tag,
    mpi::communicator& comm, MPI_Request *request);
int Start(call& c, MPI_Request *request);
int Startall(call& c, int count, MPI_Request array_of_requests[]);
int Status_get_error(call& c, const MPI_Status *status, int *error);
int Status_get_source(call& c, const MPI_Status *status, int *source);
int Status_get_tag(call& c, const MPI_Status *status, int *tag);
int Status_set_cancelled(call& c, MPI_Status *status, int flag);
int Status_set_elements(call& c, MPI_Status *status, mpi::datatype& datatype, std::int64_t count);
int Status_set_error(call& c, MPI_Status *status, int error);
int Status_set_source(call& c, MPI_Status *status, int source);
int Status_set_tag(call& c, MPI_Status *status, int tag);
int Test(call& c, MPI_Request *request, int *flag, MPI_Status *status);
int Test_cancelled(call& c, const MPI_Status *status, int *flag);
int Testall(call& c, int count, MPI_Request array_of_requests[], int *flag, MPI_Status *array_of_statuses);
int Testany(call& c, int count, MPI_Request array_of_requests[], int *indx, int *flag, MPI_Status *status);
int Testsome(call& c, int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
    MPI_Status *array_of_statuses);
int Topo_test(call& c, mpi::communicator& comm, int *status);
int Type_commit(call& c, mpi::datatype& datatype);
int Type_contiguous(call& c, std::int64_t count, mpi::datatype& oldtype, MPI_Datatype *newtype);
int Type_create_darray(call& c, int size, int rank, int ndims, base::integers array_of_gsizes,
    const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order,
    mpi::datatype& oldtype, MPI_Datatype *newtype);
int Type_create_f90_complex(call& c, int p, int r, MPI_Datatype *newtype);
int Type_create_f90_integer(call& c, int r, MPI_Datatype *newtype);
int Type_create_f90_real(call& c, int p, int r, MPI_Datatype *newtype);
int Type_create_hindexed(call& c, std::int64_t count, base::integers array_of_blocklengths,
    base::integers array_of_displacements, mpi::datatype& oldtype, MPI_Datatype *newtype);
int Type_create_hindexed_block(call& c, std::int64_t count, std::int64_t blocklength,
    base::integers array_of_displacements, mpi::datatype& oldtype, MPI_Datatype *newtype);
int Type_create_hvector(call& c, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
    mpi::datatype& oldtype, MPI_Datatype *newtype);
int Type_create_indexed_block(call& c, std::int64_t count, std::int64_t blocklength,
    base::integers array_of_displacements, mpi::datatype& oldtype, MPI_Datatype *newtype);
int Type_create_keyval(call& c, MPI_Type_copy_attr_function *type_copy_attr_fn,
    MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval, void *extra_state);
int Type_create_resized(call& c, mpi::datatype& oldtype, std::int64_t lb, std::int64_t extent,
    MPI_Datatype *newtype);
int Type_create_struct(call& c, std::int64_t count, base::integers array_of_blocklengths,
    base::integers array_of_displacements, const MPI_Datatype array_of_types[], MPI_Datatype *newtype);
int Type_create_subarray(call& c, int ndims, base::integers array_of_sizes, base::integers array_of_subsizes,
    base::integers array_of_starts, int order, mpi::datatype& oldtype, MPI_Datatype *newtype);
int Type_delete_attr(call& c, mpi::datatype& datatype, int type_keyval);
int Type_dup(call& c, mpi::datatype& oldtype, MPI_Datatype *newtype);
int Type_free(call& c, mpi::datatype& datatype);
int Type_free_keyval(call& c, int *type_keyval);
int Type_get_attr(call& c, mpi::datatype& datatype, int type_keyval, void *attribute_val, int *flag);
int Type_get_contents(call& c, mpi::datatype& datatype, std::int64_t max_integers, std::int64_t max_addresses,
    std::int64_t max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[],
    MPI_Datatype array_of_datatypes[]);
int Type_get_contents_c(call& c, mpi::datatype& datatype, std::int64_t max_integers,
    std::int64_t max_addresses, std::int64_t max_large_counts, std::int64_t max_datatypes,
    int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
    MPI_Datatype array_of_datatypes[]);
int Type_get_envelope(call& c, mpi::datatype& datatype, std::int64_t* num_integers,
    std::int64_t* num_addresses, std::int64_t* num_datatypes, int *combiner);
int Type_get_envelope_c(call& c, mpi::datatype& datatype, std::int64_t* num_integers,
    std::int64_t* num_addresses, std::int64_t* num_large_counts, std::int64_t* num_datatypes, int *combiner);
int Type_get_extent(call& c, mpi::datatype& datatype, std::int64_t* lb, std::int64_t* extent);
int Type_get_name(call& c, MPI_Datatype datatype, char *type_name, int *resultlen);
int Type_get_true_extent(call& c, mpi::datatype& datatype, std::int64_t* true_lb, std::int64_t* true_extent);
int Type_get_value_index(call& c, mpi::datatype& value_type, mpi::datatype& index_type,
    MPI_Datatype *pair_type);
int Type_indexed(call& c, std::int64_t count, base::integers array_of_blocklengths,
    base::integers array_of_displacements, mpi::datatype& oldtype, MPI_Datatype *newtype);
int Type_match_size(call& c, int typeclass, int size, MPI_Datatype *datatype);
int Type_set_attr(call& c, mpi::datatype& datatype, int type_keyval, void *attribute_val);
int Type_set_name(call& c, mpi::datatype& datatype, const char *type_name);
int Type_size(call& c, mpi::datatype& datatype, std::int64_t* size);
int Type_vector(call& c, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
    mpi::datatype& oldtype, MPI_Datatype *newtype);
int Unpack(call& c, const void *inbuf, std::int64_t insize, std::int64_t* position, void *outbuf,
    std::int64_t outcount, mpi::datatype& datatype, mpi::communicator& comm);
int Unpack_external(call& c, const char datarep[], const void *inbuf, std::int64_t insize,
    std::int64_t* position, void *outbuf, std::int64_t outcount, mpi::datatype& datatype);
int Unpublish_name(call& c, const char *service_name, mpi::info* info, const char *port_name);
int Wait(call& c, MPI_Request *request, MPI_Status *status);
int Waitall(call& c, int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses);
int Waitany(call& c, int count, MPI_Request array_of_requests[], int *indx, MPI_Status *status);
int Waitsome(call& c, int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
    MPI_Status *array_of_statuses);
int Win_allocate(call& c, std::int64_t size, std::int64_t disp_unit, mpi::info* info, mpi::communicator& comm,
    void *baseptr, MPI_Win *win);
int Win_allocate_shared(call& c, std::int64_t size, std::int64_t disp_unit, mpi::info* info,
    mpi::communicator& comm, void *baseptr, MPI_Win *win);
int Win_attach(call& c, mpi::window& win, void *base, std::int64_t size);
int Win_call_errhandler(call& c, mpi::window& win, int errorcode);
int Win_complete(call& c, mpi::window& win);
int Win_create(call& c, void *base, std::int64_t size, std::int64_t disp_unit, mpi::info* info,
    mpi::communicator& comm, MPI_Win *win);
int Win_create_dynamic(call& c, mpi::info* info, mpi::communicator& comm, MPI_Win *win);
int Win_create_errhandler(call& c, MPI_Win_errhandler_function *win_errhandler_fn,
    MPI_Errhandler *errhandler);
int Win_create_keyval(call& c, MPI_Win_copy_attr_function *win_copy_attr_fn,
    MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval, void *extra_state);
int Win_delete_attr(call& c, mpi::window& win, int win_keyval);
int Win_detach(call& c, mpi::window& win, const void *base);
int Win_fence(call& c, int assert, mpi::window& win);
int Win_flush(call& c, int rank, mpi::window& win);
int Win_flush_all(call& c, mpi::window& win);
int Win_flush_local(call& c, int rank, mpi::window& win);
int Win_flush_local_all(call& c, mpi::window& win);
int Win_free(call& c, mpi::window& win);
int Win_free_keyval(call& c, int *win_keyval);
int Win_get_attr(call& c, mpi::window& win, int win_keyval, void *attribute_val, int *flag);
int Win_get_errhandler(call& c, mpi::window& win, MPI_Errhandler *errhandler);
int Win_get_group(call& c, mpi::window& win, MPI_Group *group);
int Win_get_info(call& c, mpi::window& win, MPI_Info *info_used);
int Win_get_name(call& c, MPI_Win win, char *win_name, int *resultlen);
int Win_lock(call& c, int lock_type, int rank, int assert, mpi::window& win);
int Win_lock_all(call& c, int assert, mpi::window& win);
int Win_post(call& c, mpi::group& group, int assert, mpi::window& win);
int Win_set_attr(call& c, mpi::window& win, int win_keyval, void *attribute_val);
int Win_set_errhandler(call& c, mpi::window& win, mpi::errhandler& errhandler);
int Win_set_info(call& c, mpi::window& win, mpi::info* info);
int Win_set_name(call& c, mpi::window& win, const char *win_name);
int Win_shared_query(call& c, mpi::window& win, int rank, std::int64_t* size, std::int64_t* disp_unit,
    void *baseptr);
int Win_start(call& c, mpi::group& group, int assert, mpi::window& win);
int Win_sync(call& c, mpi::window& win);
int Win_test(call& c, mpi::window& win, int *flag);
int Win_unlock(call& c, int rank, mpi::window& win);
int Win_unlock_all(call& c, mpi::window& win);
int Win_wait(call& c, mpi::window& win);
MPI_Aint Aint_add(MPI_Aint base, MPI_Aint disp);
MPI_Aint Aint_diff(MPI_Aint addr1, MPI_Aint addr2);
double Wtick();
double Wtime();
int T_category_changed(call& c, int *update_number);
int T_category_get_categories(call& c, int cat_index, int len, int indices[]);
int T_category_get_cvars(call& c, int cat_index, int len, int indices[]);
int T_category_get_events(call& c, int cat_index, int len, int indices[]);
int T_category_get_index(call& c, const char *name, int *cat_index);
int T_category_get_info(call& c, int cat_index, char *name, int *name_len, char *desc, int *desc_len,
    int *num_cvars, int *num_pvars, int *num_categories);
int T_category_get_num(call& c, int *num_cat);
int T_category_get_num_events(call& c, int cat_index, int *num_events);
int T_category_get_pvars(call& c, int cat_index, int len, int indices[]);
int T_cvar_get_index(call& c, const char *name, int *cvar_index);
int T_cvar_get_info(call& c, int cvar_index, char *name, int *name_len, int *verbosity,
    MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope);
int T_cvar_get_num(call& c, int *num_cvar);
int T_cvar_handle_alloc(call& c, int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count);
int T_cvar_handle_free(call& c, MPI_T_cvar_handle *handle);
int T_cvar_read(call& c, MPI_T_cvar_handle handle, void *buf);
int T_cvar_write(call& c, MPI_T_cvar_handle handle, const void *buf);
int T_enum_get_info(call& c, MPI_T_enum enumtype, int *num, char *name, int *name_len);
int T_enum_get_item(call& c, MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len);
int T_event_callback_get_info(call& c, MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
    MPI_Info *info_used);
int T_event_callback_set_info(call& c, MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
    MPI_Info info);
int T_event_copy(call& c, MPI_T_event_instance event_instance, void *buffer);
int T_event_get_index(call& c, const char *name, int *event_index);
int T_event_get_info(call& c, int event_index, char *name, int *name_len, int *verbosity,
    MPI_Datatype array_of_datatypes[], MPI_Aint array_of_displacements[], int *num_elements,
    MPI_T_enum *enumtype, MPI_Info *info, char *desc, int *desc_len, int *bind);
int T_event_get_num(call& c, int *num_events);
int T_event_get_source(call& c, MPI_T_event_instance event_instance, int *source_index);
int T_event_get_timestamp(call& c, MPI_T_event_instance event_instance, MPI_Count *event_timestamp);
int T_event_handle_alloc(call& c, int event_index, void *obj_handle, MPI_Info info,
    MPI_T_event_registration *event_registration);
int T_event_handle_free(call& c, MPI_T_event_registration event_registration, void *user_data,
    MPI_T_event_free_cb_function free_cb_function);
int T_event_handle_get_info(call& c, MPI_T_event_registration event_registration, MPI_Info *info_used);
int T_event_handle_set_info(call& c, MPI_T_event_registration event_registration, MPI_Info info);
int T_event_read(call& c, MPI_T_event_instance event_instance, int element_index, void *buffer);
int T_event_register_callback(call& c, MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
    MPI_Info info, void *user_data, MPI_T_event_cb_function event_cb_function);
int T_event_set_dropped_handler(call& c, MPI_T_event_registration event_registration,
    MPI_T_event_dropped_cb_function dropped_cb_function);
int T_finalize(call& c);
int T_init_thread(call& c, int required, int *provided);
int T_pvar_get_index(call& c, const char *name, int var_class, int *pvar_index);
int T_pvar_get_info(call& c, int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
    MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *readonly,
    int *continuous, int *atomic);
int T_pvar_get_num(call& c, int *num_pvar);
int T_pvar_handle_alloc(call& c, MPI_T_pvar_session session, int pvar_index, void *obj_handle,
    MPI_T_pvar_handle *handle, int *count);
int T_pvar_handle_free(call& c, MPI_T_pvar_session session, MPI_T_pvar_handle *handle);
int T_pvar_read(call& c, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf);
int T_pvar_readreset(call& c, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf);
int T_pvar_reset(call& c, MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int T_pvar_session_create(call& c, MPI_T_pvar_session *session);
int T_pvar_session_free(call& c, MPI_T_pvar_session *session);
int T_pvar_start(call& c, MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int T_pvar_stop(call& c, MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int T_pvar_write(call& c, MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf);
int T_source_get_info(call& c, int source_index, char *name, int *name_len, char *desc, int *desc_len,
    MPI_T_source_order *ordering, MPI_Count *ticks_per_second, MPI_Count *max_ticks, MPI_Info *info);
int T_source_get_num(call& c, int *num_sources);
int T_source_get_timestamp(call& c, int source_index, MPI_Count *timestamp);

}  // namespace impl
}  // namespace loadstone::mpi
