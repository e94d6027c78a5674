#!/usr/bin/env python3
"""Writes a C program that gives every function every kind of wrong handle, and null where an address is needed.

Each call must return the right error class, and the process must live. Other arguments are plausible, so that the wrong one is what
the library complains about.

usage: wrong_handles.py <abi folder> <output file>
"""

import sys
from pathlib import Path

CLASS = {"MPI_Comm": "MPI_ERR_COMM", "MPI_Group": "MPI_ERR_GROUP", "MPI_Datatype": "MPI_ERR_TYPE", "MPI_Op": "MPI_ERR_OP",
         "MPI_Info": "MPI_ERR_INFO", "MPI_Errhandler": "MPI_ERR_ERRHANDLER", "MPI_Request": "MPI_ERR_REQUEST",
         "MPI_Message": "MPI_ERR_REQUEST", "MPI_Session": "MPI_ERR_SESSION", "MPI_Win": "MPI_ERR_WIN",
         "MPI_File": "MPI_ERR_FILE"}
GOOD = {"MPI_Comm": "comm", "MPI_Group": "group", "MPI_Datatype": "MPI_INT", "MPI_Op": "MPI_SUM", "MPI_Info": "info",
        "MPI_Errhandler": "MPI_ERRORS_RETURN", "MPI_Request": "MPI_REQUEST_NULL", "MPI_Message": "MPI_MESSAGE_NO_PROC",
        "MPI_Session": "session", "MPI_Win": "win", "MPI_File": "MPI_FILE_NULL"}
# Of the tool interface; its functions return their codes and call no handler.
TOOL_CLASS = {"MPI_T_cvar_handle": "MPI_T_ERR_INVALID_HANDLE", "MPI_T_pvar_handle": "MPI_T_ERR_INVALID_HANDLE",
              "MPI_T_pvar_session": "MPI_T_ERR_INVALID_SESSION", "MPI_T_enum": "MPI_T_ERR_INVALID_HANDLE",
              "MPI_T_event_registration": "MPI_T_ERR_INVALID_HANDLE", "MPI_T_event_instance": "MPI_T_ERR_INVALID_HANDLE"}
TOOL_GOOD = {"MPI_T_pvar_session": "tool_session", "MPI_T_cb_safety": "MPI_T_CB_REQUIRE_NONE", "MPI_Info": "MPI_INFO_NULL"}
ONE = {"ARRAY_LENGTH_PI", "COMM_SIZE_PI", "COMM_SIZE", "POLYDTYPE_NUM_ELEM_PI"}
# These end the process, the library or the test.
LEFT_OUT = {"MPI_Abort", "MPI_Finalize", "MPI_Init", "MPI_Init_thread", "MPI_Pcontrol", "MPI_Session_finalize"}

TOP = r"""
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char buffer[2][4096];
static char scratch[16][4096];
static int zeros[64], ones[64];
static MPI_Count large_zeros[64], large_ones[64];
static MPI_Comm comm;
static MPI_Group group;
static MPI_Info info;
static MPI_Session session = MPI_SESSION_NULL;
static MPI_Win win;
static MPI_T_pvar_session tool_session;
static int dummy_function(void) { abort(); }
static int rank;
static long calls, wrong;
static const char *stage;

/* What is wrong with a handle of kind K: what belongs to others, what is gone, what never was. */
enum kind { COMM, GROUP, DATATYPE, OP, INFO, ERRHANDLER, REQUEST, MESSAGE, SESSION, WIN, FILE_, KINDS };
static struct wrong_handle { intptr_t bits; int owner; const char *name; } bad[200], bad_tool[200];
static int bad_count;
static void add(intptr_t bits, int owner, const char *name) {
  bad[bad_count].bits = bits; bad[bad_count].owner = owner; bad[bad_count].name = name; bad_count++;
}

static void check(const char *call, const char *argument, const char *value, int code, int expected) {
  int found = -1;
  char text[MPI_MAX_ERROR_STRING];
  int length;
  calls++;
  if (MPI_Error_class(code, &found) != MPI_SUCCESS) found = -1;
  MPI_Error_string(code, text, &length);
  if (found != expected) {
    printf("%s, %s = %s: class %d, expected %d: %s\n", call, argument, value, found, expected, text);
    wrong++;
  } else if (strstr(text, call) == NULL || strstr(text, argument) == NULL) {
    printf("%s, %s = %s: the message does not name call and argument: %s\n", call, argument, value, text);
    wrong++;
  }
}

static void check_tool(const char *call, const char *argument, const char *value, int code, int expected) {
  calls++;
  if (code == expected) return;
  printf("%s, %s = %s: %d, expected %d\n", call, argument, value, code, expected);
  wrong++;
}

static MPI_Datatype stale_type(void) {
  MPI_Datatype t;
  MPI_Type_contiguous(2, MPI_INT, &t);
  MPI_Datatype copy = t;
  MPI_Type_free(&t);
  return copy;
}

/* Errors on files are none of a communicator: they return, though those of communicators are fatal. */
static void on_files(int yes) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, yes ? MPI_ERRORS_ARE_FATAL : MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, yes ? MPI_ERRORS_ARE_FATAL : MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(comm, yes ? MPI_ERRORS_ARE_FATAL : MPI_ERRORS_RETURN);
}

static int never(void *a, void *b, int *c, MPI_Datatype *d) { (void)a; (void)b; (void)c; (void)d; return 0; }

static void prepare(void) {
  int i;
  static int stack_like;
  for (i = 0; i < 64; i++) ones[i] = 1, large_ones[i] = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (MPI_Comm_dup(MPI_COMM_WORLD, &comm) || MPI_Comm_group(comm, &group) || MPI_Info_create(&info)) exit(2);
  if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session)) session = MPI_SESSION_NULL;

  MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, comm, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);

  add(-1, -1, "-1");
  add(1, -1, "1");
  add(0x7fffffff, -1, "0x7fffffff");
  add(0x12345678, -1, "0x12345678");
  add(0x1000, -1, "0x1000");
  add((intptr_t)0x80000000u, -1, "0x80000000");
  add((intptr_t)&stack_like, -1, "an address");
  add(INTPTR_MIN, -1, "INTPTR_MIN");

  add((intptr_t)MPI_COMM_SELF, COMM, "MPI_COMM_SELF");
  add((intptr_t)MPI_GROUP_EMPTY, GROUP, "MPI_GROUP_EMPTY");
  add((intptr_t)MPI_INT, DATATYPE, "MPI_INT");
  add((intptr_t)MPI_SUM, OP, "MPI_SUM");
  add((intptr_t)MPI_ERRORS_RETURN, ERRHANDLER, "MPI_ERRORS_RETURN");
  add((intptr_t)MPI_INFO_ENV, INFO, "MPI_INFO_ENV");
  add((intptr_t)comm, COMM, "a communicator");
  add((intptr_t)group, GROUP, "a group");
  add((intptr_t)info, INFO, "an info object");
  add((intptr_t)win, WIN, "a window");
  { MPI_Datatype t; MPI_Type_contiguous(2, MPI_INT, &t); add((intptr_t)t, DATATYPE, "a datatype"); }
  { MPI_Op o; MPI_Op_create((MPI_User_function *)(void (*)(void))never, 1, &o); add((intptr_t)o, OP, "an operation"); }

  /* Gone. */
  { MPI_Comm c, copy; MPI_Comm_dup(MPI_COMM_SELF, &c); copy = c; MPI_Comm_free(&c); add((intptr_t)copy, -1, "a freed communicator"); }
  { MPI_Group g, copy; MPI_Comm_group(comm, &g); copy = g; MPI_Group_free(&g); add((intptr_t)copy, -1, "a freed group"); }
  { MPI_Win w, copy; MPI_Win_create(buffer, 8, 1, MPI_INFO_NULL, comm, &w); copy = w; MPI_Win_free(&w); add((intptr_t)copy, -1, "a freed window"); }
  { MPI_Info f, copy; MPI_Info_create(&f); copy = f; MPI_Info_free(&f); add((intptr_t)copy, -1, "a freed info object"); }
  { MPI_Op o, copy; MPI_Op_create((MPI_User_function *)(void (*)(void))never, 1, &o); copy = o; MPI_Op_free(&o); add((intptr_t)copy, -1, "a freed operation"); }
  add((intptr_t)stale_type(), -1, "a freed datatype");
  {
    /* Waited for: the handle is dead, and its slot has been used again. */
    MPI_Request r = MPI_REQUEST_NULL, copy, other = MPI_REQUEST_NULL;
    MPI_Irecv(buffer[0], 0, MPI_INT, MPI_PROC_NULL, 0, comm, &r);
    copy = r;
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Recv_init(buffer[0], 0, MPI_INT, MPI_PROC_NULL, 0, comm, &other);
    if (copy != MPI_REQUEST_NULL) add((intptr_t)copy, -1, "a finished request");
    if (other != MPI_REQUEST_NULL) add((intptr_t)other, REQUEST, "a request");
  }
  { MPI_Errhandler e; MPI_Comm_get_errhandler(comm, &e); MPI_Errhandler_free(&e); }
  { MPI_Errhandler e; MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)(void (*)(void))dummy_function, &e); add((intptr_t)e, ERRHANDLER, "an error handler"); }
  { MPI_Errhandler e, copy; MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)(void (*)(void))dummy_function, &e); copy = e; MPI_Errhandler_free(&e); add((intptr_t)copy, -1, "a freed error handler"); }
  { MPI_Session s, copy; MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s); copy = s; MPI_Session_finalize(&s); add((intptr_t)copy, -1, "a finalized session"); }
  if (session != MPI_SESSION_NULL) add((intptr_t)session, SESSION, "a session");
  { MPI_Request r, copy; MPI_Send_init(buffer[0], 0, MPI_INT, MPI_PROC_NULL, 0, comm, &r); copy = r; MPI_Request_free(&r); add((intptr_t)copy, -1, "a freed persistent request"); }
  { MPI_Request r, copy; MPI_Ibarrier(MPI_COMM_SELF, &r); copy = r; MPI_Wait(&r, MPI_STATUS_IGNORE); if (copy != MPI_REQUEST_NULL) add((intptr_t)copy, -1, "a finished barrier"); }
  {
    MPI_Request r;
    MPI_Message m, copy;
    MPI_Isend(buffer[0], 1, MPI_INT, 0, 5, MPI_COMM_SELF, &r);
    MPI_Mprobe(0, 5, MPI_COMM_SELF, &m, MPI_STATUS_IGNORE);
    copy = m;
    MPI_Mrecv(buffer[1], 1, MPI_INT, &m, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    add((intptr_t)copy, -1, "a message that has been received");
  }
}
"""


TOOL = r"""
/* After `prepare`: everything else is wrong here as well, and so is what is gone. */
static int prepare_tool(void) {
  int provided, count, n = 0;
  MPI_T_pvar_session s, copy;
  MPI_T_pvar_handle h, handle_copy;
  MPI_T_event_registration r;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  for (int i = 0; i < bad_count; i++)
    if (bad[i].bits >= 0x1000) bad_tool[n++] = bad[i]; /* not MPI_T_PVAR_ALL_HANDLES */
  MPI_T_pvar_session_create(&tool_session);
  MPI_T_pvar_session_create(&s);
  copy = s;
  MPI_T_pvar_session_free(&s);
  bad_tool[n].bits = (intptr_t)copy, bad_tool[n++].name = "a freed pvar session";
  MPI_T_pvar_handle_alloc(tool_session, 0, NULL, &h, &count);
  handle_copy = h;
  MPI_T_pvar_handle_free(tool_session, &h);
  bad_tool[n].bits = (intptr_t)handle_copy, bad_tool[n++].name = "a freed pvar handle";
  MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &r);
  MPI_T_event_handle_free(r, NULL, NULL);
  bad_tool[n].bits = (intptr_t)r, bad_tool[n++].name = "a freed event registration";
  return n;
}
"""


def usable(function):
    return not (function.tool or "direct" in function.rules or function.variadic or function.name in LEFT_OUT
                or function.returns != "int")


def scratch(p):
    return f"(void *)scratch[{p.position}]"


def good(function, p):
    """A plausible value."""
    if "_fn" in p.name or p.type.endswith(("_function", "_function_c")):
        return f"({p.type} *)(void (*)(void))dummy_function"
    if p.type in CLASS and not p.pointer:
        if p.name in ("info",) and "required" not in p.rules:
            return "MPI_INFO_NULL"
        return GOOD[p.type]
    if p.type in CLASS and p.array:
        return f"good_{p.type}"
    if p.type in CLASS:
        return f"({p.type} *){scratch(p)}" if p.direction == "out" else f"copy_of_{p.type}()"
    if p.type == "MPI_Status":
        return f"(MPI_Status *){scratch(p)}"
    if p.array == "[][3]":
        return f"(int (*)[3]){scratch(p)}"
    if p.array and p.const and p.type in ("int", "MPI_Count", "MPI_Aint"):
        name = "ones" if p.kind in ONE or "sizes" in p.name else "zeros"
        if p.type != "int":
            name = "large_" + name
        return f"(const {p.type} *){name}" if p.type == "MPI_Aint" else name
    if p.type == "char" and p.const:
        return '"text"'
    if p.pointer:
        if p.kind == "BUFFER":
            return f"buffer[{0 if 'send' in p.name or 'in' in p.name else 1}]"
        stars = "*" * (p.stars + p.array.count("["))
        return f"({p.type} {stars}){scratch(p)}"
    if p.kind in ONE or p.name in ("count", "incount", "ndims", "size", "disp_unit"):
        return "1"
    return "0"


def tool_lines(functions):
    """Every handle of the tool interface, wrong in every way."""
    lines, tested = [], 0
    for function in functions:
        if not function.tool:
            continue
        for p in function.parameters:
            if p.type not in TOOL_CLASS or (p.pointer and p.direction == "out") or (p.pointer and "_free" not in function.name):
                continue
            tested += 1

            def value(q):
                if q is p:
                    return "&h" if p.pointer else "h"
                if q.type in TOOL_GOOD and not q.pointer:
                    return TOOL_GOOD[q.type]
                return good(function, q)

            call = f"{function.name}({', '.join(value(q) for q in function.parameters)})"
            lines.append(f'  stage = "{function.name} {p.name}";')
            lines.append(f"  for (int i = 0; i < n; i++) {{ {p.type} h = ({p.type})bad_tool[i].bits;")
            lines.append(f'    check_tool("{function.name}", "{p.name}", bad_tool[i].name, {call}, {TOOL_CLASS[p.type]});')
            if p.pointer:
                lines.append(f"    if ((intptr_t)h != bad_tool[i].bits) {{ puts(\"{function.name} changed a wrong handle\"); wrong++; }}")
            lines.append("  }")
    return lines, tested


def main():
    folder, target = Path(sys.argv[1]), Path(sys.argv[2])
    sys.path.insert(0, str(folder))
    import tables

    functions = tables.read_functions()
    status = dict(line.split("\t") for line in (folder / "status.tsv").read_text().splitlines()[1:])
    kinds = {"MPI_Comm": "COMM", "MPI_Group": "GROUP", "MPI_Datatype": "DATATYPE", "MPI_Op": "OP", "MPI_Info": "INFO",
             "MPI_Errhandler": "ERRHANDLER", "MPI_Request": "REQUEST", "MPI_Message": "MESSAGE", "MPI_Session": "SESSION",
             "MPI_Win": "WIN", "MPI_File": "FILE_"}
    out = [TOP]
    for ctype in CLASS:
        out.append(f"static {ctype} good_{ctype}[4];")
        out.append(f"static {ctype} *copy_of_{ctype}(void) {{ static {ctype} copy; copy = {GOOD[ctype]}; return &copy; }}")
    out.append("static void fill(void) {\n  for (int k = 0; k < 4; k++) {")
    out += [f"    good_{ctype}[k] = {GOOD[ctype]}; (void)copy_of_{ctype};" for ctype in CLASS]
    out.append("  }\n}")
    body, tested = [], 0

    def arguments(function, wrong, text):
        return ", ".join(text if p is wrong else good(function, p) for p in function.parameters)

    for function in functions:
        if not usable(function):
            continue
        foreign = any(p.type == "MPI_File" and p.direction != "out" for p in function.parameters)
        session = any(p.type == "MPI_Session" and p.direction != "out" for p in function.parameters)
        if function.of_files:
            body.append("  on_files(1);")
        for p in function.parameters:
            if p.type not in CLASS or "raw" in p.rules or (p.pointer and p.direction == "out"):
                continue
            if foreign and p.type != "MPI_File":
                continue  # there is no file to be right about
            if p.array and p.type == "MPI_Info":
                continue
            if p.array and p.type == "MPI_Datatype" and "eighbor" in function.name:
                continue  # lengths are those of a topology
            if p.type in ("MPI_Request", "MPI_Message") and status[function.name] != "yes":
                continue
            tested += 1
            guard = " && session != MPI_SESSION_NULL" if session and p.type != "MPI_Session" else ""
            if "at_root" in p.rules.get("significant", ""):
                guard += " && rank == 0"  # not looked at elsewhere: others would wait for what never comes
            # The null handle is legal for requests and for most info arguments, and may stand for all files.
            if "null" in p.rules:
                guard += " && bad[i].bits != (intptr_t)MPI_FILE_NULL"
            if p.type in ("MPI_Request", "MPI_Message") or (p.type == "MPI_Info" and "required" not in p.rules and not p.stars):
                guard += " && bad[i].bits >= 0x1000"
            body.append(f'  stage = "{function.name} {p.name}";')
            body.append(f"  for (int i = 0; i < bad_count; i++) if (bad[i].owner != {kinds[p.type]}{guard}) {{")
            if p.array:
                body.append(f"    {p.type} a[4]; for (int k = 0; k < 4; k++) a[k] = ({p.type})bad[i].bits; (void)a;")
                call = arguments(function, p, "a")
                body.append(f'    check("{function.name}", "{p.name}", bad[i].name, {function.name}({call}), {CLASS[p.type]});')
            elif p.stars:
                call = arguments(function, p, "&h")
                body.append(f"    {p.type} h = ({p.type})bad[i].bits;")
                body.append(f'    check("{function.name}", "{p.name}", bad[i].name, {function.name}({call}), {CLASS[p.type]});')
                body.append(f"    if ((intptr_t)h != bad[i].bits) {{ puts(\"{function.name} changed a wrong handle\"); wrong++; }}")
            else:
                call = arguments(function, p, f"({p.type})bad[i].bits")
                body.append(f'    check("{function.name}", "{p.name}", bad[i].name, {function.name}({call}), {CLASS[p.type]});')
            body.append("  }")
        # Addresses for results.
        for p in function.parameters:
            if foreign or not p.pointer or p.array or p.const or p.direction == "in" or {"optional", "raw", "room"} & set(p.rules):
                continue
            if p.type == "MPI_Status" or p.kind in ("BUFFER", "ARGUMENT_COUNT", "ARGUMENT_LIST") or session:
                continue
            tested += 1
            body.append(f'  stage = "{function.name} {p.name}";')
            body.append(f'  check("{function.name}", "{p.name}", "null", {function.name}({arguments(function, p, "NULL")}), MPI_ERR_ARG);')
        if function.of_files:
            body.append("  on_files(0);")
    if tested < 700:
        raise SystemExit(f"only {tested} arguments found: the tables are not complete")
    step = 600
    starts = range(0, len(body), step)
    # Cut between arguments.
    parts, current = [], []
    for line in body:
        if line.startswith("  stage") and len(current) > step:
            parts.append(current)
            current = []
        current.append(line)
    parts.append(current)
    for i, part in enumerate(parts):
        out += [f"static void part{i}(void) {{", *part, "}"]
    lines, tool_tested = tool_lines(functions)
    if tool_tested < 25:
        raise SystemExit(f"only {tool_tested} arguments of the tool interface found")
    tested += tool_tested
    out += [TOOL, "static void part_tool(void) {\n  const int n = prepare_tool();", *lines,
            "  MPI_T_pvar_session_free(&tool_session);\n  MPI_T_finalize();\n}"]
    out.append("int main(void) {\n  MPI_Init(NULL, NULL);\n  prepare();\n  fill();")
    out += [f"  part{i}();" for i in range(len(parts))]
    out.append("  part_tool();")
    out.append(f'  printf("%ld calls for {tested} arguments, %ld wrong\\n", calls, wrong);')
    out.append("  if (session != MPI_SESSION_NULL) MPI_Session_finalize(&session);")
    out.append("  MPI_Finalize();\n  return wrong != 0 || calls < 10000;\n}")
    target.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
