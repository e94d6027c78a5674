#!/usr/bin/env python3
"""Writes a program, valid in C99 and C++11, that compares mpi.h and the library with the tables of abi/.

usage: constants.py <abi folder> <output file>
"""

import re
import sys
from pathlib import Path

HANDLES = ["Comm", "Datatype", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Session", "Win"]


def rows(path):
    lines = [line.rstrip("\n").split("\t") for line in path.read_text().splitlines()]
    return [line + [""] * (4 - len(line)) for line in lines[1:]]


def main():
    folder, target = Path(sys.argv[1]), Path(sys.argv[2])
    out = ["#include <mpi.h>", "#include <stddef.h>", "#include <stdint.h>", "#include <stdio.h>", "",
           "static int wrong = 0;",
           "static void expect(const char *what, long long is, long long should) {",
           '  if (is != should) { printf("%s is %lld, expected %lld\\n", what, is, should); wrong++; }', "}"]
    body, count = [], 0
    constants = rows(folder / "constants.tsv")
    if len(constants) < 360:
        raise SystemExit("constants.tsv is not complete")
    for i, (name, kind, value, _) in enumerate(constants):
        if kind == "alias":
            if name.startswith("MPI_ABI_"):
                continue
            body.append(f'  expect("{name}", (long long)(intptr_t)({name}), (long long)(intptr_t)({value}));')
        elif kind.endswith("*") and kind.startswith("MPI_") and "function" in kind:
            body.append(f'  {{ {kind} f = {name}; expect("{name}", (long long)(intptr_t)f, {value}); }}')
        elif kind == "int":
            # Usable by the preprocessor and as a case label, as programs do.
            out.append(f"#if ({name}) != ({value})\n#error {name}\n#endif")
            body.append(f'  {{ int v = {name}; expect("{name}", v, {value}); }}')
        else:
            body.append(f'  {{ {kind} v = {name}; expect("{name}", (long long)(intptr_t)v, {value}); }}')
        count += 1
    for handle in HANDLES:
        body.append(f'  expect("sizeof(MPI_{handle})", (long long)sizeof(MPI_{handle}), (long long)sizeof(void *));')
    for name, size in (("MPI_Aint", "sizeof(intptr_t)"), ("MPI_Offset", "8"), ("MPI_Count", "8"), ("MPI_Fint", "sizeof(int)"),
                       ("MPI_Status", "32"), ("MPI_F08_status", "32")):
        body.append(f'  expect("sizeof({name})", (long long)sizeof({name}), (long long)({size}));')
        count += 1
    for name in ("MPI_Aint", "MPI_Offset", "MPI_Count"):
        body.append(f'  expect("sign of {name}", ({name})-1 < 0, 1);')
    for i, name in enumerate(("MPI_SOURCE", "MPI_TAG", "MPI_ERROR", "MPI_internal")):
        body.append(f'  expect("offset of {name}", (long long)offsetof(MPI_Status, {name}), {4 * i});')
    functions = rows(folder / "functions.tsv")
    if len(functions) != 664:
        raise SystemExit("functions.tsv is not complete")
    for name, returns, parameters, _ in functions:
        for prefix in ("", "P"):
            body.append(f"  {{ {returns} (*f)({parameters}) = {prefix}{name}; if (f == 0) wrong++; }}")
            count += 1
    for name, returns, parameters, _ in rows(folder / "callbacks.tsv"):
        body.append(f"  {{ {returns} (*f)({parameters}) = 0; {name} *g = f; if (g != 0) wrong++; }}")
        count += 1
    # Conversions of handles and statuses.
    for handle in HANDLES:
        short = "Type" if handle == "Datatype" else handle
        null = "MPI_" + handle.upper() + "_NULL"
        body.append(f'  expect("MPI_{short}_c2f", MPI_{short}_f2c(MPI_{short}_c2f({null})) == {null}, 1);')
        body.append(f'  expect("PMPI_{short}_c2f", PMPI_{short}_f2c(PMPI_{short}_c2f({null})) == {null}, 1);')
    body.append("  { MPI_Status a = {1, 2, 3, {4, 5, 6, 7, 8}}, b; MPI_Fint f[MPI_F_STATUS_SIZE]; MPI_F08_status g; int i;")
    body.append("    MPI_Status_c2f(&a, f); for (i = 0; i < 8; i++) expect(\"status in Fortran\", f[i], i + 1);")
    body.append("    MPI_Status_f2c(f, &b); expect(\"status\", b.MPI_internal[4], 8);")
    body.append("    MPI_Status_f2f08(f, &g); MPI_Status_f082c(&g, &b); expect(\"status\", b.MPI_TAG, 2);")
    body.append("    MPI_Status_c2f08(&a, &g); MPI_Status_f082f(&g, f); expect(\"status\", f[MPI_F_ERROR], 3); }")
    # Function bodies of tens of thousands of lines make compilers slow: cut.
    step, parts = 200, []
    for start in range(0, len(body), step):
        parts.append(f"static void part{start // step}(void) {{")
        parts += body[start:start + step]
        parts.append("}")
    out += parts
    out.append("int main(void) {")
    out += [f"  part{i}();" for i in range(0, (len(body) + step - 1) // step)]
    out.append(f'  printf("%d comparisons, %d wrong\\n", {count}, wrong);\n  return wrong != 0;\n}}')
    target.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
