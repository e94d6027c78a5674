"""The ABI tables as Python objects: constants, callbacks, functions with their parameters, and our supplement.

A parameter's kind and direction come from parameters.tsv (the Forum's description); what that lacks comes from
supplement.tsv. Rules given for MPI_X also hold for MPI_X_c and, for collectives, for MPI_Ix and MPI_X_init.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent

COLLECTIVES = {
    "Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Alltoallw", "Barrier", "Bcast", "Exscan",
    "Gather", "Gatherv", "Reduce", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Scatter", "Scatterv",
    "Neighbor_allgather", "Neighbor_allgatherv", "Neighbor_alltoall", "Neighbor_alltoallv", "Neighbor_alltoallw",
}


@dataclass
class Constant:
    name: str
    type: str
    value: str


@dataclass
class Parameter:
    text: str  # as the table has it
    name: str = ""
    type: str = ""  # without const, stars and brackets
    const: bool = False
    stars: int = 0
    array: str = ""  # "[]", "[][3]" or nothing
    kind: str = ""
    direction: str = "in"
    length: str = ""
    rules: dict = field(default_factory=dict)
    position: int = 0

    @property
    def pointer(self):
        return self.stars > 0 or bool(self.array)


@dataclass
class Function:
    name: str  # MPI_Send_c
    returns: str
    parameters: list
    variadic: bool = False
    rules: dict = field(default_factory=dict)
    partner: "Function" = None  # the other one of a pair MPI_X, MPI_X_c

    @property
    def short(self):
        return self.name[4:]

    @property
    def base(self):
        """The name without _c."""
        return self.short.removesuffix("_c")

    @property
    def large(self):
        return self.short.endswith("_c")

    @property
    def tool(self):
        return self.short.startswith("T_")

    @property
    def of_files(self):
        """Its errors are a file's, be it the null file's."""
        return self.returns == "int" and self.short != "File_create_errhandler" and (
            self.short.startswith("File_") or self.base == "Register_datarep")

    @property
    def family(self):
        """Gather for MPI_Igather_c and MPI_Gather_init; else the name without _c."""
        base = self.base.removesuffix("_init")
        if base in COLLECTIVES:
            return base
        if base[:1] == "I" and base[1:2].islower() and base[1:].capitalize() in COLLECTIVES:
            return base[1:].capitalize()
        return self.base

    @property
    def collective(self):
        return self.family in COLLECTIVES

    def parameter(self, name):
        return next((p for p in self.parameters if p.name == name), None)


def rows(name):
    with open(HERE / name, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    width = len(lines[0])
    return [line + [""] * (width - len(line)) for line in lines[1:]]


def read_constants():
    return [Constant(name, kind, value) for name, kind, value, *_ in rows("constants.tsv")]


def read_callbacks():
    return [(name, returns, text) for name, returns, text, *_ in rows("callbacks.tsv")]


def parse_parameter(text):
    match = re.fullmatch(r"(const )?\s*(\w+)\s*(\**)\s*(\w+)((?:\[\d*\])*)", text.strip())
    if not match:
        raise ValueError(f"cannot parse parameter '{text}'")
    const, kind, stars, name, array = match.groups()
    return Parameter(text=text.strip(), name=name, type=kind, const=bool(const), stars=len(stars), array=array)


def read_functions():
    functions = []
    for name, returns, text, *_ in rows("functions.tsv"):
        function = Function(name=name, returns=returns, parameters=[])
        for part in ([] if text == "void" else text.split(", ")):
            if part == "...":
                function.variadic = True
                continue
            function.parameters.append(parse_parameter(part))
        for i, parameter in enumerate(function.parameters):
            parameter.position = i + 1
        functions.append(function)
    by_name = {function.name: function for function in functions}
    for function in functions:
        function.partner = by_name.get(function.name + "_c") or (by_name.get("MPI_" + function.base)
                                                                 if function.large else None)
    describe(functions)
    supplement(functions)
    return functions


def describe(functions):
    """Kinds and directions from the Forum's description."""
    known = {}
    for function, parameter, kind, direction, length, _, suppressed in rows("parameters.tsv"):
        if "c_parameter" in suppressed:
            continue
        name = {"index": "indx", "pe_session": "session"}.get(parameter, parameter)
        known[(function, name)] = (kind, direction, length)
    for function in functions:
        for parameter in function.parameters:
            found = known.get((function.name, parameter.name)) or known.get(("MPI_" + function.base, parameter.name))
            if found:
                parameter.kind, parameter.direction, parameter.length = found
            elif parameter.pointer and not parameter.const and not parameter.type.endswith(("_fn", "_function")):
                parameter.direction = "out"


def supplement(functions):
    for name, parameter, rule, value in rows("supplement.tsv"):
        hits = 0
        for function in functions:
            if name not in ("MPI_" + function.family, "MPI_" + function.base, function.name):
                continue
            if not parameter:
                function.rules[rule] = value
                hits += 1
                continue
            target = function.parameter(parameter)
            if target is None:
                continue
            hits += 1
            if rule in ("kind", "direction", "length"):
                setattr(target, rule, value)
            else:
                target.rules[rule] = value
        if not hits:
            raise ValueError(f"supplement.tsv: nothing matches {name} {parameter} {rule}")
