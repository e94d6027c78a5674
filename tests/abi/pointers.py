#!/usr/bin/env python3
"""Writes the calls of pointers.c: every function with null and every sentinel of the ABI in each place of a pointer in turn.

All other arguments are right, and three more calls of each function show that they are: one as it should be, one without any data and
with null where the data would be, one for each buffer with MPI_BOTTOM and absolute addresses. What is legal where is said here, from
the standard, not taken from abi/supplement.tsv: two descriptions of the same thing, which this test compares.

usage: pointers.py <abi folder> <output file>
"""

import re
import sys
from pathlib import Path

VALUES = {"0": "null", "1": "MPI_IN_PLACE", "2": "MPI_BUFFER_AUTOMATIC", "10": "MPI_UNWEIGHTED", "11": "MPI_WEIGHTS_EMPTY",
          "8": "null and a bit"}
TWO = {"MPI_Comm_remote_group", "MPI_Comm_remote_size", "MPI_Intercomm_merge", "MPI_Intercomm_create",
       "MPI_Intercomm_create_from_groups"}
# These end the process, the library or the test.
LEFT_OUT = {"MPI_Abort", "MPI_Finalize", "MPI_Init", "MPI_T_finalize"}
# What the call as it should be returns, where that is not MPI_SUCCESS; "any": it depends.
RETURNS = {"MPI_Init_thread": "MPI_ERR_OTHER", "MPI_T_pvar_readreset": "MPI_T_ERR_PVAR_NO_ATOMIC",
           "MPI_T_pvar_write": "MPI_T_ERR_PVAR_NO_WRITE", "MPI_T_cvar_write": "MPI_T_ERR_CVAR_SET_NOT_NOW",
           "MPI_T_enum_get_info": "MPI_T_ERR_INVALID_HANDLE", "MPI_T_enum_get_item": "MPI_T_ERR_INVALID_HANDLE",
           "MPI_T_event_read": "MPI_T_ERR_INVALID_HANDLE", "MPI_T_event_copy": "MPI_T_ERR_INVALID_HANDLE",
           "MPI_T_event_get_source": "MPI_T_ERR_INVALID_HANDLE", "MPI_T_event_get_timestamp": "MPI_T_ERR_INVALID_HANDLE",
           "MPI_Abi_set_fortran_booleans": "any", "MPI_Abi_set_fortran_info": "any"}  # the second time: set already

# The same for the call without data: there is no room.
WITHOUT_DATA = {"MPI_Cart_coords": "MPI_ERR_ARG", "MPI_Cart_get": "MPI_ERR_ARG", "MPI_Type_get_contents": "MPI_ERR_ARG"}

# --- what is legal: {(function, argument): values}, regular expressions; the first that matches ---
OPAQUE = r"attribute_val|extra_state|obj_handle|user_data|location"  # as what is given, not where a result goes
ANY = set(VALUES)
LEGAL = [
    (r"(?!MPI_Topo_test).*", r"(array_of_)?status(es)?", {"0"}),  # where it is a result
    (r"MPI_I?(All|Reduce_scatter|Scan|Exscan|Gather|Reduce$|Reduce_init).*", r"sendbuf", {"1"}),
    (r"MPI_I?(all|reduce_scatter|scan|exscan|gather|reduce).*", r"sendbuf", {"1"}),
    (r"MPI_I?[Ss]catter.*", r"recvbuf", {"1"}),
    (r"MPI_(Comm_|Type_|Win_)?(create_keyval|Keyval_create)", r".*copy.*fn", {"0", "1"}),
    (r"MPI_(Comm_|Type_|Win_)?(create_keyval|Keyval_create)", r".*delete.*fn", {"0"}),
    (r"MPI_(Comm_|Session_)?(attach_buffer|Buffer_attach)", r"buffer", {"2"}),
    (r"MPI_Dist_graph_create", r"weights", {"10"}),
    (r"MPI_T_.*_get_info|MPI_T_enum_.*|MPI_T_init_thread", r"(?!info_used).*", {"0"}),
    (r"MPI_T_event_(register_callback|handle_free|set_dropped_handler)", r".*function", {"0"}),
    (r"MPI_Init_thread", r"argc|argv", {"0"}),
    (r"MPI_Exscan.*|MPI_Iexscan", r"recvbuf", ANY),  # rank 0 gets nothing
]
# Legal or not, by the other arguments, by taste: no crash.
OPEN = [(r"MPI_Dist_graph_(create_adjacent|neighbors)", r".*weights"), (r"MPI_Free_mem", r"base"), (r"MPI_Info_create_env", "argv"),
        (r"MPI_Dist_graph_create", r"weights")]

# --- the other arguments ---
NAMED = {  # by name, and function if need be
    "group2": "group", "peer_comm": "pair", "remote_group": "remote_group", "remote_leader": "(two ? 1 - rank : 0)",
    "intercomm": "inter", "stringtag": '"tag"', "string": '"text"', "key": '"k"', "datarep": '"external32"', "errorcode": "own_code",
    "pset_name": '"mpi://SELF"', "comm_name": '"name"', "type_name": '"name"', "value": '"v"', "color": "0",
    "split_type": "MPI_COMM_TYPE_SHARED",
    "order": "MPI_ORDER_C", "typeclass": "MPI_TYPECLASS_INTEGER", "logical_size": "4", "outsize": "256", "insize": "256",
    "p": "6", "r": "5", "valuelen": "16", "comm_keyval": "comm_key", "keyval": "comm_key", "type_keyval": "type_key",
    "cb_safety": "MPI_T_CB_REQUIRE_NONE", "required": "MPI_THREAD_SINGLE", "lb": "0", "extent": "16",
    "var_class": "pvar_class", "argv": "arguments", "commute": "1", "enumtype": "MPI_T_ENUM_NULL",
    "event_instance": "(MPI_T_event_instance)scratch[19]", "info": "MPI_INFO_NULL", "disp_unit": "1", "win_name": '"name"',
    "win_keyval": "win_key",
}
SPECIAL = {
    ("MPI_Type_match_size", "size"): "4", ("MPI_Type_create_f90_real", "r"): "30", ("MPI_Type_create_f90_complex", "r"): "30",
    ("MPI_Type_create_darray", "array_of_distribs"): "distributions", ("MPI_Type_create_darray", "array_of_dargs"): "no_arguments",
    ("MPI_Graph_create", "indx"): "ones", ("MPI_Graph_map", "indx"): "ones", ("MPI_Dist_graph_create", "degrees"): "ones",
    ("MPI_Parrived", "request"): "parts[1]", ("MPI_Pready_list", "request"): "parts[0]", ("MPI_Op_create", "op"): "&h_op",
    ("MPI_Request_get_status", "request"): "MPI_REQUEST_NULL", ("MPI_Free_mem", "base"): "fresh_memory()",
    ("MPI_Wait", "request"): "&no_request", ("MPI_Test", "request"): "&no_request", ("MPI_Cancel", "request"): "fresh_receive()",
    ("MPI_T_cvar_get_index", "name"): "cvar_name", ("MPI_T_pvar_get_index", "name"): "pvar_name",
    ("MPI_T_category_get_index", "name"): "category_name", ("MPI_T_event_get_index", "name"): "event_name",
    ("MPI_T_pvar_handle_alloc", "session"): "tool_session", ("MPI_T_event_handle_free", "event_registration"): "fresh_registration()",
    **{(f"MPI_{call}_name", "service_name"): "service_name" for call in ("Publish", "Lookup", "Unpublish")},
    ("MPI_Publish_name", "port_name"): '"port"', ("MPI_Unpublish_name", "port_name"): '"port"',
    ("MPI_Type_get_contents", "datatype"): "derived", ("MPI_Get_count", "datatype"): "MPI_INT",
    ("MPI_Comm_create_group", "tag"): "0", ("MPI_Group_excl", "n"): "1", ("MPI_Grequest_start", "query_fn"): "query",
    ("MPI_Grequest_start", "free_fn"): "release", ("MPI_Grequest_start", "cancel_fn"): "cancel", ("MPI_Dims_create", "nnodes"): "1",
    ("MPI_Error_string", "errorcode"): "MPI_ERR_ARG", ("MPI_Error_class", "errorcode"): "MPI_ERR_ARG",
    ("MPI_Intercomm_create_from_groups", "remote_leader"): "0", ("MPI_Info_get_nthkey", "n"): "0",
    ("MPI_Startall", "array_of_requests"): "fresh_persistent()",
    ("MPI_Win_attach", "win"): "dynamic", ("MPI_Win_detach", "win"): "dynamic", ("MPI_Win_test", "win"): "posted",
    ("MPI_Abi_set_fortran_info", "info"): "info", ("MPI_Session_get_num_psets", "info"): "MPI_INFO_NULL",
}
BY_TYPE = {"MPI_Comm": "comm", "MPI_Group": "group", "MPI_Datatype": "MPI_INT", "MPI_Op": "MPI_SUM", "MPI_Info": "info",
           "MPI_Errhandler": "MPI_ERRORS_RETURN", "MPI_Request": "MPI_REQUEST_NULL", "MPI_Session": "session",
           "MPI_Win": "win", "MPI_File": "MPI_FILE_NULL", "MPI_T_cvar_handle": "cvar", "MPI_T_pvar_handle": "pvar",
           "MPI_T_pvar_session": "tool_session", "MPI_T_event_registration": "registration", "MPI_Message": "MPI_MESSAGE_NO_PROC"}
FRESH = {"MPI_Comm": "comm", "MPI_Group": "group", "MPI_Datatype": "type", "MPI_Op": "op", "MPI_Info": "info",
         "MPI_Errhandler": "errhandler", "MPI_Request": "persistent", "MPI_Session": "session", "MPI_Message": "message", "MPI_Win": "win",
         "MPI_T_cvar_handle": "cvar", "MPI_T_pvar_handle": "pvar", "MPI_T_pvar_session": "pvar_session"}
ONE = re.compile(r"(send|recv|in|out|origin_|result_|target_)?count|n|nnodes|ndims|blocklength|partitions|(in|out)degree|max\w+|stride|argc|len|length|size")

# --- what must have happened before, and what is cleared up after ---
RECEIVES = r"MPI_(Recv|Irecv|Mprobe|Improbe|Probe|Iprobe)(_c)?"
BEFORE = [
    (RECEIVES, "to_self();"),
    (r"MPI_I?[rs]send(_c)?|MPI_[RS]send(_c)?", "from_self();"),
    (r"MPI_(Buffer|Comm|Session)_(attach|detach)(_buffer)?(_c)?", "detach();"),
    (r"MPI_(Bsend|Ibsend|Bsend_init)(_c)?", "attach();"),
    (r"MPI_(Lookup|Unpublish)_name", "MPI_Publish_name(service_name, MPI_INFO_NULL, \"port\");"),
    (r"MPI_Publish_name", "MPI_Unpublish_name(service_name, MPI_INFO_NULL, \"port\");"),
    (r"MPI_Win_attach", "MPI_Win_detach(dynamic, buffer[0]);"),
    (r"MPI_Win_detach", "MPI_Win_attach(dynamic, buffer[0], 64);"),
    (r"MPI_Win_test", "MPI_Win_post(MPI_GROUP_EMPTY, 0, posted);"),
    (r"MPI_Info_(get|get_valuelen|get_string|delete|get_nthkey)", "MPI_Info_set(info, \"k\", \"v\");"),
]


def matches(table, *names):
    return next((row[-1] for row in table if all(re.fullmatch(p, n) for p, n in zip(row, names))), None)


def is_function(p):
    return p.type.endswith(("_function", "_function_c"))


def is_pointer(p):
    return p.pointer or is_function(p)


def is_result(p):
    return p.direction != "in"


def topology(f):
    if f.short.startswith(("Cart_", "Cartdim")) and f.short not in ("Cart_create", "Cart_map"):
        return "cart"
    if f.short in ("Graph_get", "Graph_neighbors", "Graph_neighbors_count", "Graphdims_get"):
        return "graph"
    return "dist" if "eighbor" in f.short else None


def text(f, p, zero=False, bottom=None):
    """A right value for one argument. `zero`: there is no data; `bottom`: this buffer's is at absolute addresses."""
    base = "MPI_" + f.base
    if p is bottom:
        return "MPI_BOTTOM"
    if (base, p.name) in SPECIAL:
        return SPECIAL[base, p.name]
    if p.type == "MPI_Comm" and not p.pointer:
        special = NAMED.get(p.name)
        return special or topology(f) or ("inter" if f.name in TWO and "from_groups" not in f.name and "remote" in f.name else "comm")
    if p.type == "MPI_Info" and not p.pointer and ("required" in p.rules or f.name == "MPI_Abi_set_fortran_info"):
        return "info"
    if is_function(p):
        return f"({p.type} *)(void (*)(void))callback"
    if p.type == "MPI_Datatype" and bottom is not None and belongs(f, bottom, p):
        return "absolutes" if p.array else "absolute"
    if p.name in NAMED and not is_result(p) and p.pointer == (NAMED[p.name][0] == '"' or p.name == "argv"):
        return NAMED[p.name]
    if p.type == "MPI_Status" and p.stars:
        return "status"
    if p.type in FRESH and p.stars and not p.array:
        return f"&h_{FRESH[p.type]}" if p.direction == "out" else f"fresh_{FRESH[p.type]}()"
    if p.type in BY_TYPE and not p.pointer:
        return BY_TYPE[p.type]
    if p.type == "MPI_Datatype" and p.array and p.const:
        return "ints"
    if p.type == "MPI_Request" and p.array:
        return "(MPI_Request *)no_requests"
    if p.array and p.const and p.type in ("int", "MPI_Count", "MPI_Aint"):
        one = not zero and re.search(r"counts|sizes|blocklengths|dims|weights", p.name) and "offset" not in p.name
        return f"(const {p.type} *){'large_' if p.type != 'int' else ''}{'ones' if one else 'zeros'}"
    if p.array == "[][3]":
        return "ranges"
    if p.kind == "BUFFER":
        return f"buffer[{int(is_result(p))}]"
    if p.type == "char" and p.stars == 2 and p.array:
        return "(char ***)scratch[19]"
    if p.type == "char" and p.stars == 2 or p.array and p.type == "char" and p.stars:
        return "arguments"
    if p.name.endswith(("_len", "buflen", "num_elements")) and p.stars == 1:
        return "fresh_room()"
    if p.type == "int" and p.name.endswith("keyval") and p.direction == "inout":
        return f"fresh_key_{'type' if 'Type' in f.name else 'win' if 'Win' in f.name else 'comm'}()"
    if p.pointer:
        return f"({p.type} {'*' * (p.stars + p.array.count('['))})scratch[{p.position}]"
    if p.name.startswith("max_"):
        return "0" if zero else "4"
    if ONE.fullmatch(p.name):
        return "0" if zero and is_length(f, p) else "1"
    return "0"


def is_length(f, p):
    """May it be zero, and is it the length of something?"""
    if p.kind.endswith("_PI") or f.short in ("Dims_create", "Group_excl") or "size" in p.name:
        return False
    return any(q.pointer and q.position != p.position and (q.length == p.name or q.kind == "BUFFER") for q in f.parameters) or (
        p.name in ("nnodes", "n"))


def belongs(f, buffer, kind):
    """Is this the type of what lies in the buffer? The next one behind it."""
    return next((q for q in f.parameters[buffer.position:] if q.type == "MPI_Datatype"), None) is kind


def is_empty(f, p):
    """Null when there is no data: buffers, and arrays whose length is a count."""
    if p.kind == "BUFFER":
        return any(q.type == "MPI_Datatype" for q in f.parameters[p.position:]) and f.base not in (
            "Get_address", "Buffer_attach", "Fetch_and_op", "Compare_and_swap")  # of one element
    length = f.parameter(p.length) if p.length else None
    return bool(p.array) and length is not None and is_length(f, length) and not length.pointer


def expectations(f, p, implemented):
    if not implemented:
        return "a" * len(VALUES)
    if matches([(*row, True) for row in OPEN], f.name.removesuffix("_c"), p.name):
        return "a" * len(VALUES)
    legal = set()
    if re.fullmatch(OPAQUE, p.name) and (not is_result(p) or p.name in ("extra_state", "user_data", "location")):
        legal = ANY
    else:
        legal = matches(LEGAL, f.name.removesuffix("_c"), p.name) or set()
        if p.type == "MPI_Status" and not is_result(p) or p.type == "MPI_Status" and p.direction == "inout":
            legal = set()
        if f.tool and not is_result(p) and not is_function(p):
            legal = set()
    return "".join("s" if v in legal else "e" for v in VALUES)


def after(f, wrong):
    out = []
    for p in f.parameters:
        if p.type == "MPI_Request" and p.stars == 1 and p.direction == "out" and p is not wrong:
            if f.base == "Grequest_start":
                out.append("MPI_Grequest_complete(h_persistent);")
            out.append("end_request();" if not f.base.endswith("_init") else "MPI_Request_free(&h_persistent);")
        if p.type == "MPI_Win" and p.direction == "out" and p is not wrong:
            out.append("MPI_Win_free(&h_win);")
    if f.base in ("Start", "Startall", "Cancel") and wrong is None:
        out.append("MPI_Wait(&h_persistent, MPI_STATUS_IGNORE);")
    if re.fullmatch(r"Session_init", f.base) and wrong is None:
        out.append("MPI_Session_finalize(&h_session);")
    return " ".join(out)


def needs_file(f):
    """It is right only with a file that is open, or a new name: programs/files asks these."""
    return f.of_files and "rrhandler" not in f.name


def main():
    folder, target = Path(sys.argv[1]), Path(sys.argv[2])
    sys.path.insert(0, str(folder))
    import tables

    status = dict(line.split("\t") for line in (folder / "status.tsv").read_text().splitlines()[1:])
    functions, rows, number = [], [], 0

    def add(f, argument, expected, arguments, wrong=None, returns=None):
        nonlocal number
        returns = returns or RETURNS.get(f.name.removesuffix("_c"), "MPI_SUCCESS").replace("any", "MPI_SUCCESS")
        before = matches(BEFORE, f.name) or ""
        cleared = after(f, wrong)
        cleared = f" if (code == MPI_SUCCESS) {{ {cleared} }}" if cleared else ""
        call = f"{f.name}({', '.join(arguments)})"
        functions.append(f"static int call_{number}(void) {{ {before} const int code = {call};{cleared} return code; }}")
        two = "1" if f.name in TWO else "0"
        rows.append(f'  {{"{f.name}", "{argument}", call_{number}, "{expected}", {int(f.tool)}, {two}, {returns}}},')
        number += 1

    count = 0
    for f in tables.read_functions():
        if f.returns != "int" or f.variadic or f.name in LEFT_OUT or "direct" in f.rules or needs_file(f):
            continue
        implemented = status[f.name] == "yes"
        right = [text(f, p) for p in f.parameters]
        for p in filter(is_pointer, f.parameters):
            stars = "(*)[3]" if p.array == "[][3]" else "*" * (p.stars + bool(p.array)) or "*"
            wrong = f"({'const ' if p.const else ''}{p.type} {stars})wrong"
            count += 1
            add(f, p.name, expectations(f, p, implemented),
                [wrong if q is p else right[q.position - 1] for q in f.parameters], p)
        if not implemented:
            continue
        if not any(map(is_pointer, f.parameters)):
            continue
        base = f.name.removesuffix("_c")
        if RETURNS.get(base) != "any":
            add(f, "=all as it should be", "", right)
        if any(is_empty(f, p) for p in f.parameters):
            add(f, "=without data", "", ["NULL" if is_empty(f, p) else text(f, p, zero=True) for p in f.parameters],
                returns=WITHOUT_DATA.get(base))
        for p in f.parameters:
            kinds = any(q.type == "MPI_Datatype" for q in f.parameters[p.position:])
            if p.kind == "BUFFER" and kinds and not f.parameter("op") and f.base not in ("Unpack", "Unpack_external", "Compare_and_swap") + (
                    ("Pack", "Pack_external") if is_result(p) else ()):
                add(f, f"=MPI_BOTTOM for {p.name}", "", [text(f, q, bottom=p) for q in f.parameters])
    if count < 1200:
        raise SystemExit(f"only {count} pointers found: the tables are not complete")
    out = ["static const struct { uintptr_t bits; const char *name; } values[] = {",
           *[f'  {{{bits}, "{name}"}},' for bits, name in VALUES.items()], "};", *functions,
           "static const struct call {\n  const char *function, *argument;\n  int (*make)(void);\n  const char *expected;",
           "  int tool, two, returns;\n} calls[] = {",
           *rows, "};"]
    target.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
