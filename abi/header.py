"""include/mpi.h from the tables."""

HANDLES = ["Comm", "Datatype", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Session", "Win"]
TOOL_HANDLES = ["enum", "cvar_handle", "pvar_handle", "pvar_session", "event_instance", "event_registration"]
ENUMS = {"MPI_T_cb_safety", "MPI_T_source_order"}

TOP = """\
/* mpi.h: the MPI-5.0 standard ABI. Written by abi/generate.py from the tables in abi/; do not edit.
 *
 * Programs compiled with this file run on every library that has the standard ABI
 * (libmpi_abi.so.1), and the reverse.
 */
#ifndef MPI_H_INCLUDED
#define MPI_H_INCLUDED

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Integer types. A program may choose its own spelling of the same type before it includes this file. */
#ifndef MPI_ABI_Aint
#define MPI_ABI_Aint intptr_t
#endif
typedef MPI_ABI_Aint MPI_Aint;
#undef MPI_ABI_Aint

#ifndef MPI_ABI_Offset
#define MPI_ABI_Offset int64_t
#endif
typedef MPI_ABI_Offset MPI_Offset;

#ifndef MPI_ABI_Count
#define MPI_ABI_Count MPI_ABI_Offset
#endif
typedef MPI_ABI_Count MPI_Count;
#undef MPI_ABI_Count
#undef MPI_ABI_Offset

#ifndef MPI_ABI_Fint
#define MPI_ABI_Fint int
#endif
typedef MPI_ABI_Fint MPI_Fint;
#undef MPI_ABI_Fint

typedef struct MPI_Status {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int MPI_internal[5];
} MPI_Status;
typedef MPI_Status MPI_F08_status;
"""

STATUS_CONVERSIONS = """\
/* A status is eight integers in C and in both Fortran forms. */
static __inline__ int MPI_Status_c2f(const MPI_Status *c_status, MPI_Fint *f_status) {
  int i;
  f_status[MPI_F_SOURCE] = c_status->MPI_SOURCE;
  f_status[MPI_F_TAG] = c_status->MPI_TAG;
  f_status[MPI_F_ERROR] = c_status->MPI_ERROR;
  for (i = 0; i < 5; i++) f_status[3 + i] = c_status->MPI_internal[i];
  return MPI_SUCCESS;
}
static __inline__ int MPI_Status_f2c(const MPI_Fint *f_status, MPI_Status *c_status) {
  int i;
  c_status->MPI_SOURCE = f_status[MPI_F_SOURCE];
  c_status->MPI_TAG = f_status[MPI_F_TAG];
  c_status->MPI_ERROR = f_status[MPI_F_ERROR];
  for (i = 0; i < 5; i++) c_status->MPI_internal[i] = f_status[3 + i];
  return MPI_SUCCESS;
}
static __inline__ int MPI_Status_c2f08(const MPI_Status *c_status, MPI_F08_status *f08_status) {
  *f08_status = *c_status;
  return MPI_SUCCESS;
}
static __inline__ int MPI_Status_f082c(const MPI_F08_status *f08_status, MPI_Status *c_status) {
  *c_status = *f08_status;
  return MPI_SUCCESS;
}
static __inline__ int MPI_Status_f2f08(const MPI_Fint *f_status, MPI_F08_status *f08_status) {
  return MPI_Status_f2c(f_status, f08_status);
}
static __inline__ int MPI_Status_f082f(const MPI_F08_status *f08_status, MPI_Fint *f_status) {
  return MPI_Status_c2f(f08_status, f_status);
}
"""
STATUS_NAMES = ["c2f", "f2c", "c2f08", "f082c", "f2f08", "f082f"]


def constant_text(constant):
    if constant.type in ("int", "alias"):
        return constant.value
    if constant.type in ENUMS:
        return None
    return f"(({constant.type}) {constant.value})"


def parameter_text(p):
    """As in the standard, but for an array in whose place a sentinel such as MPI_UNWEIGHTED may stand: a pointer (the
    same type), because compilers take an array parameter to be readable, and warn about the sentinel."""
    if p.array == "[]" and {"optional", "also"} & set(p.rules):
        return f"{'const ' if p.const else ''}{p.type} {'*' * (p.stars + 1)}{p.name}"
    return p.text


def parameters_text(function):
    parts = [parameter_text(parameter) for parameter in function.parameters]
    if function.variadic:
        parts.append("...")
    return ", ".join(parts) or "void"


def prototype(function, prefix=""):
    return f"{function.returns} {prefix}{function.name}({parameters_text(function)});"


def write_header(constants, callbacks, functions):
    out = [TOP]
    out.append("/* Handles. */")
    for name in HANDLES:
        out.append(f"typedef struct MPI_ABI_{name} *MPI_{name};")
    out.append("")
    for name in TOOL_HANDLES:
        out.append(f"typedef struct MPI_ABI_T_{name} *MPI_T_{name};")
    out.append("")
    for enum in sorted(ENUMS):
        out.append("typedef enum {")
        members = [f"  {c.name} = {c.value}" for c in constants if c.type == enum]
        out.append(",\n".join(members))
        out.append(f"}} {enum};")
    out.append("")
    out.append("/* Callbacks. */")
    for name, returns, text in callbacks:
        out.append(f"typedef {returns} ({name})({text});")
    for kind in ("Comm", "File", "Win"):
        out.append(f"typedef MPI_{kind}_errhandler_function MPI_{kind}_errhandler_fn;")
    out.append("")
    out.append("/* Constants. */")
    for constant in constants:
        text = constant_text(constant)
        # The two integer-type names are part of the block at the top.
        if text is None or constant.name.startswith("MPI_ABI_C"):
            continue
        out.append(f"#define {constant.name} {text}")
    out.append("")
    for prefix, title in (("", "Functions"), ("P", "The same under their profiling names")):
        out.append(f"/* {title}. */")
        out.extend(prototype(function, prefix) for function in functions)
        out.append("")
    out.append("/* Handles and Fortran integers. */")
    fortran = "\n".join(
        f"static __inline__ MPI_Fint {p}MPI_{short}_c2f({ctype} h) {{ return {p}MPI_{short}_toint(h); }}\n"
        f"static __inline__ {ctype} {p}MPI_{short}_f2c(MPI_Fint h) {{ return {p}MPI_{short}_fromint(h); }}"
        for p in ("", "P")
        for short, ctype in (("Type" if h == "Datatype" else h, f"MPI_{h}") for h in HANDLES))
    out.append(fortran)
    out.append("")
    out.append(STATUS_CONVERSIONS.rstrip())
    for name in STATUS_NAMES:
        out.append(f"#define PMPI_Status_{name} MPI_Status_{name}")
    out.append("")
    out.append("#ifdef __cplusplus\n}\n#endif\n\n#endif /* MPI_H_INCLUDED */")
    return "\n".join(out) + "\n"
