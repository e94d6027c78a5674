#!/usr/bin/env python3
"""Writes include/mpi.h, the entries of libmpi_abi, their export map and abi/status.tsv from the tables beside this file.

usage: generate.py [--check]     --check writes nothing and fails if a file is not what it would write
"""

import re
import sys
from pathlib import Path

import entries
import header
import tables
from wrapping import wrap

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src" / "mpi"
NOTE = "// Written by abi/generate.py; do not edit.\n// clang-format off\n"
# Entries by theme, so that a change of one layer compiles one file anew.
FILES = [
    ("tool", r"T_"),
    ("file", r"File_|Register_datarep"),
    ("window", r"Win_|R?(put|get|accumulate)|R?get_accumulate|Put|Get$|Get_c$|Accumulate|Get_accumulate|Compare_and|Fetch_and"),
    ("topology", r"Cart|Graph|Dist_graph|Dims|Topo|I?[Nn]eighbor|Ineighbor"),
    ("collective", r"Reduce_local"),
    ("nonblocking_collective", r"$^"),
    ("persistent_collective", r"$^"),
    ("datatype", r"Type_|Pack|Unpack|Get_address|Get_elements|Op_"),
    ("communicator", r"Comm_|Group_|Intercomm|Attr_|Keyval|Session_"),
    ("point_to_point", r"I?[bsr]?send|[BSR]?[Ss]end|I?m?recv|Recv|Mrecv|Probe|I?m?probe|Mprobe|Wait|Test|Start|Request|"
                       r"Cancel|Grequest|Buffer|P(ready|arrived|send|recv)|Get_count|Status|Sendrecv|Isendrecv|Imrecv|Improbe"),
    ("process", r""),
]


def implemented_names():
    """Definitions of impl:: functions at line start, anywhere in src/mpi but the generated files."""
    pattern = re.compile(r"^[\w:]+(?: \*|\* | )impl::(\w+)\(", re.M)
    names = set()
    for path in sorted(SOURCES.glob("*.cpp")):
        names.update(pattern.findall(path.read_text(encoding="utf-8")))
    return names


def is_implemented(function, implemented):
    return entries.converts(function) or entries.implementation_name(function) in implemented


def collective_theme(function):
    if not function.collective or "eighbor" in function.name:
        return None
    if function.base.endswith("_init"):
        return "persistent_collective"
    return "collective" if function.base == function.family else "nonblocking_collective"


def theme(function):
    for name, pattern in FILES:
        if name == collective_theme(function):
            return name
        if re.match(pattern, function.short):
            return name
    raise AssertionError(function.name)


def write_entries(name, functions, implemented):
    out = [NOTE]
    out.append('#include "mpi/call.hpp"\n#include "mpi/checks.hpp"\n#include "mpi/generated/entry.hpp"\n'
               '#include "mpi/generated/impl.hpp"\n')
    out.append("using namespace loadstone;  // entries only; nothing else is in these files\n"
               "using namespace loadstone::mpi;\n")
    out.append('extern "C" {\n')
    for function in functions:
        entry = entries.Entry(function, entries.implementation_name(function) in implemented)
        out.append(entry.text() + "\n")
    out.append('}  // extern "C"')
    return "\n".join(out) + "\n"


def write_names(functions):
    out = [NOTE, "// Numbers and names of the functions of the API.\n#pragma once\n\n#include <cstdint>\n\nnamespace loadstone::mpi {\n"]
    out.append("enum class function : std::uint16_t {")
    out += [f"  {f.short}," for f in functions]
    out.append("};\n")
    out.append(f"inline constexpr unsigned function_count = {len(functions)};")
    out.append("inline constexpr const char* function_names[function_count] = {")
    out += [f'    "{f.name}",' for f in functions]
    out.append("};")
    out.append("inline constexpr bool function_is_large[function_count] = {")
    flags = ["true" if f.large or f.name.endswith("_x") else "false" for f in functions]
    for i in range(0, len(flags), 16):
        out.append("    " + ", ".join(flags[i:i + 16]) + ",")
    out.append("};\n")
    out.append("inline const char* function_name(function f) { return function_names[static_cast<unsigned>(f)]; }")
    out.append("inline bool is_large(function f) { return function_is_large[static_cast<unsigned>(f)]; }\n")
    out.append("}  // namespace loadstone::mpi")
    return "\n".join(out) + "\n"


def write_impl(functions, implemented):
    out = [NOTE, "// What implements the API: one function for MPI_X and MPI_X_c unless their meaning differs. A\n"
           "// function is part of the library as soon as src/mpi has a definition of it (`int impl::X(` at\n"
           "// line start) and the generator has run.\n"
           '#pragma once\n\n#include <cstdint>\n\n#include "base/integers.hpp"\n#include "mpi.h"\n\n'
           "namespace loadstone::mpi {\n"]
    out.append("class call;")
    out += [f"class {cls};" for cls in sorted({entries.HANDLE[t][0].removeprefix("mpi::") for t in entries.HANDLE})]
    out.append("\nnamespace impl {\n")
    for function in functions:
        if entries.collapse(function):
            out.append(entries.declaration(function))
    out.append("\n}  // namespace impl\n}  // namespace loadstone::mpi")
    return "\n".join(out) + "\n"


def write_entry_header():
    return NOTE + '''
// MPI_X is a weak alias of PMPI_X, so that a tool may put its own MPI_X in front.
#pragma once

#define LOADSTONE_ALIAS(name) extern decltype(P##name) name __attribute__((weak, alias("P" #name)));

#include "mpi/check_arrays.hpp"
#include "mpi/check_buffers.hpp"
#include "mpi/datatype_object.hpp"
#include "mpi/group.hpp"
#include "mpi/info.hpp"
#include "mpi/op_object.hpp"
#include "mpi/quick.hpp"
#include "mpi/quick_window.hpp"
#include "mpi/session.hpp"
#include "mpi/topology.hpp"
#include "mpi/window.hpp"
'''


def write_predefined(constants):
    """Names of predefined handles, for messages."""
    out = [NOTE, '#include <cstring>\n\n#include "mpi/raise.hpp"\n\nnamespace loadstone::mpi {\n']
    out.append("const char* predefined_name(const char* type, std::intptr_t bits) {")
    out.append("  struct entry {\n    const char* type;\n    std::intptr_t bits;\n    const char* name;\n  };")
    out.append("  static constexpr entry entries[] = {")
    out += [f'      {{"{c.type}", {c.value}, "{c.name}"}},' for c in constants if c.type in entries.HANDLE]
    out.append("  };\n  for (const entry& e : entries) {")
    out.append("    if (e.bits == bits && std::strcmp(e.type, type) == 0) return e.name;\n  }")
    out.append("  // A handle of another kind, perhaps: say which.\n  for (const entry& e : entries) {")
    out.append("    if (e.bits == bits) return e.name;\n  }\n  return nullptr;\n}\n\n}  // namespace loadstone::mpi")
    return "\n".join(out) + "\n"


def write_map(functions):
    names = sorted(f.name for f in functions)
    body = "".join(f"    {prefix}{name};\n" for name in names for prefix in ("", "P"))
    return "/* Written by abi/generate.py; do not edit. The ABI has no symbol versions, hence the anonymous node. */\n" \
           "{\n  global:\n" + body + "  local:\n    *;\n};\n"


def write_status(functions, implemented):
    out = ["function\timplemented"]
    for f in functions:
        out.append(f"{f.name}\t{'yes' if is_implemented(f, implemented) else 'no'}")
    return "\n".join(out) + "\n"


def generated():
    functions = tables.read_functions()
    implemented = implemented_names()
    known = {entries.implementation_name(f) for f in functions}
    for stray in sorted(implemented - known):
        raise SystemExit(f"generate.py: impl::{stray} is defined but implements no function of the tables")
    files = {
        ROOT / "include" / "mpi.h": header.write_header(tables.read_constants(), tables.read_callbacks(), functions),
        SOURCES / "generated" / "names.hpp": write_names(functions),
        SOURCES / "generated" / "impl.hpp": write_impl(functions, implemented),
        SOURCES / "generated" / "predefined_names.cpp": write_predefined(tables.read_constants()),
        SOURCES / "generated" / "entry.hpp": write_entry_header(),
        SOURCES / "libmpi_abi.map": write_map(functions),
        ROOT / "abi" / "status.tsv": write_status(functions, implemented),
    }
    files[ROOT / "README.md"] = count_in_readme(files[ROOT / "abi" / "status.tsv"])
    for name, _ in FILES:
        members = [f for f in functions if theme(f) == name]
        files[SOURCES / "generated" / f"{name}_entries.cpp"] = write_entries(name, members, implemented)
    return {path: wrap(text) if path.suffix in (".h", ".hpp", ".cpp") else text for path, text in files.items()}


def count_in_readme(status):
    """The README with the number of implemented functions as it is."""
    rows = status.splitlines()[1:]
    done = sum(row.endswith("\tyes") for row in rows)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text, lines = re.subn(r"\d+ of the \d+ functions", f"{done} of the {len(rows)} functions", text)
    if lines != 1:
        raise SystemExit("generate.py: README.md must say once how many \"of the … functions\" are implemented")
    return text


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit(__doc__)
    stale = []
    for path, text in generated().items():
        old = path.read_text(encoding="utf-8") if path.exists() else None
        if old == text:
            continue
        stale.append(path.relative_to(ROOT))
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if check and stale:
        raise SystemExit("not current, run abi/generate.py: " + " ".join(map(str, stale)))
    if stale:
        print("wrote", *stale)


if __name__ == "__main__":
    main()
