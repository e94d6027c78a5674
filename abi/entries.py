"""The exported entries: argument checks from the tables, then the call of the implementation.

One entry is: make the call object; check the phase; resolve the object whose error handler is used; check the other
arguments in order; call impl::X; convert results that may not fit. Everything unlikely is out of line (call.cpp).
"""

HANDLE = {  # C type: (C++ class, table, error class)
    "MPI_Comm": ("mpi::communicator", "comms", "MPI_ERR_COMM"),
    "MPI_Group": ("mpi::group", "groups", "MPI_ERR_GROUP"),
    "MPI_Datatype": ("mpi::datatype", "types", "MPI_ERR_TYPE"),
    "MPI_Op": ("mpi::op", "ops", "MPI_ERR_OP"),
    "MPI_Info": ("mpi::info", "infos", "MPI_ERR_INFO"),
    "MPI_Errhandler": ("mpi::errhandler", "errhandlers", "MPI_ERR_ERRHANDLER"),
    "MPI_Request": ("mpi::request", "requests", "MPI_ERR_REQUEST"),
    "MPI_Message": ("mpi::message", "messages", "MPI_ERR_REQUEST"),
    "MPI_Session": ("mpi::session", "sessions", "MPI_ERR_SESSION"),
    "MPI_Win": ("mpi::window", "windows", "MPI_ERR_WIN"),
    "MPI_File": ("mpi::file", "files", "MPI_ERR_FILE"),
}
# Handles the implementation gets as objects; the others stay raw, because what may be null depends on the call.
OBJECTS = {"MPI_Comm", "MPI_Group", "MPI_Datatype", "MPI_Op", "MPI_Errhandler", "MPI_Session", "MPI_Win", "MPI_File"}
INTEGERS = {"int", "MPI_Count", "MPI_Aint", "MPI_Offset"}
WIDE = {"MPI_Count", "MPI_Aint", "MPI_Offset"}
NOT_NEGATIVE = {  # kind: error class
    "POLYXFER_NUM_ELEM_NNI": "MPI_ERR_COUNT", "POLYXFER_NUM_ELEM": "MPI_ERR_COUNT", "XFER_NUM_ELEM_NNI": "MPI_ERR_COUNT",
    "POLYDTYPE_NUM_ELEM_NNI": "MPI_ERR_COUNT", "POLYNUM_BYTES_NNI": "MPI_ERR_COUNT",
    "ARRAY_LENGTH": "MPI_ERR_ARG", "ARRAY_LENGTH_NNI": "MPI_ERR_ARG", "XFER_NUM_ELEM_SMALL": "MPI_ERR_COUNT",
    "XFER_NUM_ELEM": "MPI_ERR_COUNT", "ALLOC_MEM_NUM_BYTES": "MPI_ERR_ARG", "NUM_DIMS": "MPI_ERR_DIMS",
    "WINDOW_SIZE": "MPI_ERR_SIZE", "WIN_ATTACH_SIZE": "MPI_ERR_SIZE",
    "POLYNUM_PARAM_VALUES": "MPI_ERR_ARG", "INFO_VALUE_LENGTH": "MPI_ERR_ARG", "DEGREE": "MPI_ERR_ARG",
    "POLYDTYPE_PACK_SIZE": "MPI_ERR_ARG", "PROCESS_COUNT": "MPI_ERR_ARG",
}
# Whatever is given is handed on, not looked at.
OPAQUE = {"ATTRIBUTE_VAL", "ATTRIBUTE_VAL_10", "EXTRA_STATE", "EXTRA_STATE2", "TOOL_MPI_OBJ"}
# Lengths that are known of the communicator, as C++.
LENGTHS = {"local_size": "{0}->size()", "remote_size": "{0}->remote_size()", "dimensions": "dimensions(*{0})",
           "in_degree": "in_degree(*{0})", "out_degree": "out_degree(*{0})"}
POSITIVE = {"ARRAY_LENGTH_PI": "MPI_ERR_ARG", "COMM_SIZE_PI": "MPI_ERR_ARG", "POLYDTYPE_NUM_ELEM_PI": "MPI_ERR_ARG",
            "POLYRMA_DISPLACEMENT": "MPI_ERR_DISP"}
# Receives and probes: their source and tag may be wildcards.
WILDCARDS = {"Recv", "Irecv", "Recv_init", "Probe", "Iprobe", "Mprobe", "Improbe", "Sendrecv", "Isendrecv",
             "Sendrecv_replace", "Isendrecv_replace"}


def is_object(p):
    return p.type in OBJECTS and not p.pointer and not {"raw", "null"} & set(p.rules)


def is_function(p):
    return p.type.endswith(("_function", "_function_c", "_fn"))


def is_pointer(p):
    return p.pointer or is_function(p)


def is_freed(p):
    """The call frees or changes the object behind this pointer to a handle."""
    return p.type in HANDLE and p.stars == 1 and p.direction == "inout" and p.type not in ("MPI_Request", "MPI_Message")


def partner_parameter(function, p):
    return function.partner.parameter(p.name) if function.partner else None


def varies(function, p):
    other = partner_parameter(function, p)
    return other is not None and other.type != p.type


def wide_number(function, p):
    """A number that is 64 bits wide for the implementation, whatever the entry has."""
    return p.type in WIDE or (p.type == "int" and varies(function, p)) or "wide" in p.rules


def form(function, p):
    """How the implementation sees a parameter: (C++ type, name)."""
    if function.tool or "direct" in function.rules:
        return None
    if is_object(p) or (is_freed(p) and p.type in OBJECTS):
        return f"{HANDLE[p.type][0]}& {p.name}"
    if p.type == "MPI_Info" and (not p.pointer and "raw" not in p.rules or is_freed(p)):
        return f"mpi::info* {p.name}"
    if p.type in INTEGERS and p.array == "[]" and p.const and wide_number(function, p):
        return f"base::integers {p.name}"
    if p.type in INTEGERS and not p.pointer and wide_number(function, p):
        return f"std::int64_t {p.name}"
    if p.type in INTEGERS and p.stars == 1 and wide_number(function, p):
        return f"std::int64_t* {p.name}"
    return p.text.replace("const int level", "int level")


def implementation_name(function):
    """The impl:: function that serves this entry."""
    if "served_by" in function.rules:
        return function.rules["served_by"]
    if function.large and not separate(function):
        return function.base
    return function.short


def separate(function):
    """The pair cannot be one function: the supplement says so, or the parameter lists differ."""
    if "separate" in function.rules or (function.partner and "separate" in function.partner.rules):
        return True
    return function.partner is not None and len(function.partner.parameters) != len(function.parameters)


def raw_text(p):
    return p.text


def declaration(function):
    parts = [] if "direct" in function.rules else ["call& c"]
    parts += [form(function, p) or p.text for p in function.parameters]
    return f"{function.returns} {implementation_name(function)}({', '.join(parts)});"


def converts(function):
    return function.short.endswith(("_toint", "_fromint"))


def conversion(function):
    """The lower half of a handle is a number already; its place knows the rest."""
    name = function.parameters[0].name
    if function.short.endswith("_toint"):
        return f"static_cast<int>(handle_bits({name}))"
    return f"process::current().handles.{HANDLE[function.returns][1]}.whole({name})"


def collapse(function):
    """Which function of a group served by one implementation declares it."""
    return implementation_name(function) == function.short and not converts(function)


class Entry:
    def __init__(self, function, implemented):
        self.f = function
        self.implemented = implemented
        self.lines = []
        self.arguments = []  # for the implementation
        self.after = []      # run on success, before the return

    def add(self, text):
        self.lines.append("  " + text)

    def refuse(self, condition, call):
        self.add(f"if ({condition}) [[unlikely]] return c.{call};")

    def text(self):
        f = self.f
        plain = "direct" in f.rules or (f.tool and not self.implemented)
        head = f"{f.returns} P{f.name}({signature(f)}) {'{' if plain else 'try {'}"
        tail = "}" if plain else f"}} catch (...) {{\n  return caught(function::{f.short});\n}}"
        if "direct" in f.rules:
            names = ", ".join(p.name for p in f.parameters)
            if converts(f):
                return "\n".join([head, f"  return {conversion(f)};", tail, f"LOADSTONE_ALIAS({f.name})"])
            body = [f"  return impl::{implementation_name(f)}({names});"]
        elif f.tool:
            body = self.tool_body()
        else:
            self.body()
            body = self.lines
        if "quick" in f.rules:
            return self.quick(head, body, tail)
        return "\n".join([head, *body, tail, f"LOADSTONE_ALIAS({f.name})"])

    def quick(self, head, body, tail):
        """Two functions, so that the quick way saves no registers for the sake of the other."""
        f = self.f
        names = ", ".join(p.name for p in f.parameters)
        other = f"otherwise_{f.name}"
        first = f"[[gnu::noinline]] static {f.returns} {other}({signature(f)}) noexcept try {{"
        return "\n".join([
            first, *body, tail, "", head,
            f"  if (quick::{implementation_name(f)}(function::{f.short}, {names})) [[likely]] return MPI_SUCCESS;",
            f"  return {other}({names});", tail, f"LOADSTONE_ALIAS({f.name})"])

    def tool_body(self):
        f = self.f
        if not self.implemented:
            return ["  return MPI_T_ERR_NOT_SUPPORTED;"]
        for p in f.parameters:
            if is_pointer(p):
                self.check_pointer(p)
        names = "".join(", " + p.name for p in f.parameters)
        return [f"  call c(function::{f.short});", *self.lines, f"  return impl::{implementation_name(f)}(c{names});"]

    # --- checks ---

    def condition(self, p):
        """When a parameter is significant: a C++ condition, or '' for always."""
        rule = p.rules.get("significant", "")
        parts = []
        for word in filter(None, rule.split(",")):
            if word in ("at_root", "contributes", "takes_part"):
                parts.append(f"role.{word}")
            elif word == "not_first":
                parts.append(f"({self.comm}->rank() != 0 || sendbuf == MPI_IN_PLACE)")
            elif word == "reads_origin":
                parts.append("op != MPI_NO_OP")
            else:
                parts.append(f"{word} != MPI_IN_PLACE")
        return " && ".join(parts)

    def guarded(self, p, condition):
        significant = self.condition(p)
        return f"{significant} && {condition}" if significant else condition

    def body(self):
        f = self.f
        self.add(f"call c(function::{f.short});")
        if f.rules.get("phase") != "any":
            self.refuse("!c.running()", "outside()")
        if f.of_files:
            self.add("c.on_files();")
        for p in f.parameters:
            if "takes_errors" in p.rules:
                self.check_handle(p)
                self.add(f"c.on(*{p.name}_);")
        self.resolve_home()
        home = self.home
        if any(p.rules.get("role") == "root" for p in f.parameters) and any(
                "role." in self.condition(p) or p.rules.get("in_place") == "at_root" for p in f.parameters):
            self.check_root(f.parameter("root"))
            self.add(f"[[maybe_unused]] const roles role(root, *{self.comm});")
            self.root_done = True
        for p in f.parameters:
            if p is not home and "takes_errors" not in p.rules:
                self.check(p)
            if self.implemented:
                self.arguments.append(self.argument(p))
        self.check_pairs()
        for p in f.parameters:
            if p.kind == "BUFFER" or "bytes" in p.rules:
                self.check_data(p)
        if not self.implemented:
            self.add("return c.unsupported();")
            return
        name = implementation_name(f)
        arguments = ", ".join(["c", *self.arguments])
        if not self.after:
            self.add(f"return c.finish(impl::{name}({arguments}));")
            return
        self.add(f"const int code = impl::{name}({arguments});")
        self.add("if (code != MPI_SUCCESS) [[unlikely]] return c.raise(code);")
        for line in self.after:
            self.add(line)
        self.add("return MPI_SUCCESS;")

    def resolve_home(self):
        """The communicator, session, window or file whose error handler gets the errors of this call."""
        self.home, self.comm, self.root_done = None, None, False
        for p in self.f.parameters:
            if p.type in ("MPI_Comm", "MPI_Session", "MPI_Win", "MPI_File") and p.direction != "out" and not p.array \
                    and "raw" not in p.rules:
                self.home = p
                break
        p = self.home
        if p is None:
            return
        self.check_handle(p)
        if self.f.of_files and p.type != "MPI_File":
            pass  # errors before there is a file are the null file's
        elif is_object(p) or is_freed(p):
            self.add(f"c.on(*{p.name}_);")
        else:
            self.add(f"c.on({p.name});")
        if p.type == "MPI_Comm":
            self.comm = p.name + "_"

    def check(self, p):
        if "raw" in p.rules:
            return
        if p.type in HANDLE and not p.array and (not p.stars or is_freed(p)):
            self.check_handle(p)
        elif p.type == "MPI_Datatype" and p.array and p.const:
            self.check_handles(p)
        elif p.rules.get("role"):
            self.check_role(p)
        elif p.type in INTEGERS and not p.pointer:
            self.check_number(p)
        elif p.type in INTEGERS and p.array == "[]" and p.const and not {"optional", "also"} & set(p.rules):
            self.check_array(p)
        elif is_pointer(p) and p.kind != "BUFFER" and "bytes" not in p.rules:
            self.check_pointer(p)

    def check_pointer(self, p):
        """An address, where one is needed: never null, a sentinel, or what else lies in the first page."""
        f = self.f
        if "any" in p.rules or (p.kind in OPAQUE and p.direction == "in"):
            return
        terms = [self.condition(p), f"no_address({p.name})"]
        if "optional" in p.rules or (p.type == "MPI_Status" and p.direction == "out") or p.kind in (
                "ARGUMENT_COUNT", "ARGUMENT_LIST") or (f.rules.get("outputs") == "optional" and p.direction != "in"):
            terms.append(f"{p.name} != nullptr")
        if "also" in p.rules:
            terms.append(f"{p.name} != {p.rules['also']}")
        if "room" in p.rules:  # of a text: nothing is written without
            terms.append(f"{p.rules['room']} > 0")
        elif p.array and self.length(p):
            terms.append(f"{self.length(p)} > 0")
        condition = " && ".join(filter(None, terms))
        if f.tool:
            self.add(f"if ({condition}) [[unlikely]] return MPI_T_ERR_INVALID;")
        else:
            self.refuse(condition, f'no_address({p.position}, "{p.name}", bits_of({p.name}))')

    def check_handle(self, p):
        cls, table, error = HANDLE[p.type]
        error = p.rules.get("class", error)
        value = p.name
        if p.stars:
            self.refuse(f"no_address({p.name})", f'no_address({p.position}, "{p.name}", bits_of({p.name}))')
            value = "*" + p.name
        if p.type in ("MPI_Request", "MPI_Message"):
            return
        wrong = f'wrong_handle({error}, {p.position}, "{p.name}", "{p.type}", handle_bits({value}))'
        condition = self.condition(p)
        if "null" in p.rules:
            self.refuse(f"{value} != MPI_FILE_NULL && c.handles().{table}.find({value}) == nullptr", wrong)
            return
        if condition:
            # Something valid stands in for an argument that is not significant here.
            stand_in = {"MPI_Datatype": "MPI_BYTE", "MPI_Op": "MPI_SUM"}[p.type]
            self.add(f"{cls}* {p.name}_ = c.handles().{table}.find({stand_in});")
            self.add(f"if ({condition}) {p.name}_ = c.handles().{table}.find({value});")
        else:
            self.add(f"[[maybe_unused]] {cls}* const {p.name}_ = c.handles().{table}.find({value});")
        if p.type == "MPI_Info" and "required" not in p.rules and not p.stars:
            self.refuse(f"{p.name}_ == nullptr && {value} != MPI_INFO_NULL", wrong)
        else:
            self.refuse(f"{p.name}_ == nullptr", wrong)
        if p.stars and p.type in ("MPI_Comm", "MPI_Datatype", "MPI_Op", "MPI_Info") and "keeps" not in p.rules:
            self.refuse(f"{table_type(p.type)}::is_predefined({value})",
                        f'predefined_handle({error}, {p.position}, "{p.name}", "{p.type}", handle_bits({value}))')
            self.after.append(f"*{p.name} = {null_name(p.type)};")
        elif p.stars and "keeps" not in p.rules and p.type in OBJECTS:
            self.after.append(f"*{p.name} = {null_name(p.type)};")
        if "for" in p.rules:
            kind = p.rules["for"]
            self.refuse(f"!{p.name}_->fits(errhandler_kind::{kind})",
                        f'wrong_errhandler({p.position}, "{p.name}", "{kind}")')
        if p.type == "MPI_Datatype" and self.needs_commit(p):
            self.refuse(f"!{p.name}_->committed()", f'not_committed({p.position}, "{p.name}", {value})')
            self.check_amount(p)

    def count_of(self, p):
        """The argument that says how many elements of this datatype there are: it stands before it."""
        before = [q for q in self.f.parameters if p.position - 2 <= q.position < p.position]
        for q in reversed(before):
            if q.type in INTEGERS and NOT_NEGATIVE.get(q.kind) == "MPI_ERR_COUNT" and not q.stars and (
                    not q.array or q.const):
                return q
        return None

    def check_amount(self, p):
        """The bytes of all elements fit 64 bits."""
        q = self.count_of(p)
        if q is None or "optional" in q.rules:
            return
        if not q.array:
            # What collectives call so is said for each process.
            each = self.f.collective and q.name in ("sendcount", "recvcount") and self.comm
            times = f"{self.comm}->remote_size()" if each else "1"
            self.refuse(self.guarded(p, f"beyond({q.name}, {times}, *{p.name}_)"),
                        f'too_many({q.position}, "{q.name}", {q.name}, {times}, *{p.name}_)')
        elif q.length and self.length(q):
            self.refuse_amounts(p, q, f"*{p.name}_")

    def refuse_amounts(self, p, q, types):
        condition = self.condition(p)
        self.add(f"if ({condition}) {{" if condition else "{")
        self.add(f'  const int wrong = check_amounts(c, {q.name}, {self.length(q)}, {types}, {q.position}, "{q.name}");')
        self.add("  if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;")
        self.add("}")

    def needs_commit(self, p):
        if "committed" in p.rules:
            return p.rules["committed"] == "yes"
        return any(q.kind == "BUFFER" for q in self.f.parameters)

    def check_handles(self, p):
        """An array of datatypes: each must be valid, and committed for communication."""
        cls, table, error = HANDLE[p.type]
        condition = self.condition(p)
        length = self.length(p)
        if length is None:
            return
        indent = f"if ({condition}) " if condition else ""
        commit = "true" if self.needs_commit(p) else "false"
        self.add(f"{indent}{{")
        self.add(f'  const int wrong = check_types(c, {p.name}, {length}, {commit}, {p.position}, "{p.name}");')
        self.add("  if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;")
        self.add("}")
        counts = [q for q in self.f.parameters if q.position == p.position - 2]
        if self.needs_commit(p) and counts and NOT_NEGATIVE.get(counts[0].kind) == "MPI_ERR_COUNT":
            self.refuse_amounts(p, counts[0], p.name)

    def length(self, p):
        if p.length in LENGTHS:
            return LENGTHS[p.length].format(self.comm)
        if "(" in p.length:
            return p.length
        length = self.f.parameter(p.length) if p.length else None
        return None if length is None or length.pointer else p.length

    def check_root(self, p):
        if self.root_done:
            return
        comm = self.comm
        self.refuse(f"!is_root({p.name}, *{comm})",
                    f'wrong_rank(MPI_ERR_ROOT, {p.position}, "{p.name}", {p.name}, {comm}->remote_size(), '
                    f'{comm}->is_inter() ? ", MPI_ROOT or MPI_PROC_NULL" : "")')

    def check_role(self, p):
        role, comm = p.rules["role"], self.comm
        at = f'{p.position}, "{p.name}", {p.name}'
        if role == "root":
            self.check_root(p)
        elif role == "destination":
            self.refuse(f"!is_destination({p.name}, *{comm})",
                        f'wrong_rank(MPI_ERR_RANK, {at}, {comm}->remote_size(), " or MPI_PROC_NULL")')
        elif role == "source":
            self.refuse(f"!is_source({p.name}, *{comm})",
                        f'wrong_source({at}, {comm}->remote_size())')
        elif role == "rank":
            self.refuse(f"!is_rank({p.name}, {comm}->size())", f'wrong_rank(MPI_ERR_RANK, {at}, {comm}->size(), "")')
        elif role == "target":
            win = self.home.name + "_"
            self.refuse(f"!is_target({p.name}, *{win})",
                        f'wrong_rank(MPI_ERR_RANK, {at}, {win}->size(), " or MPI_PROC_NULL")')
        elif role == "send_tag":
            self.refuse(f"{p.name} < 0", f'wrong_number(MPI_ERR_TAG, {at}, "0 to 2147483647 (MPI_TAG_UB)")')
        elif role == "receive_tag":
            self.refuse(f"!is_receive_tag({p.name}, *{comm})", f'wrong_receive_tag({at})')
        else:
            raise ValueError(f"unknown role {role}")

    def check_number(self, p):
        for kinds, bound, words in ((NOT_NEGATIVE, "< 0", "at least 0"), (POSITIVE, "<= 0", "at least 1")):
            if p.rules.get("range") == "any":
                continue
            error = p.rules.get("class") if p.kind in kinds and "class" in p.rules else kinds.get(p.kind)
            if error:
                self.refuse(self.guarded(p, f"{p.name} {bound}"),
                            f'wrong_number({error}, {p.position}, "{p.name}", {p.name}, "{words}")')

    def data_of(self, p):
        """What lies in a buffer: the arguments (counts, displacements, type) that say so, those that follow it."""
        counts = displacements = None
        for q in self.f.parameters[p.position:]:
            if q.type == "MPI_Datatype":
                return counts, displacements, q
            if q.type not in INTEGERS or q.stars or q.name == p.rules.get("times"):
                continue
            if counts is None and NOT_NEGATIVE.get(q.kind) == "MPI_ERR_COUNT":
                counts = q
            elif counts is not None and q.array:
                displacements = q
        return None, None, None

    def check_data(self, p):
        """Null and sentinels are no buffers, unless nothing lies in them or the type's addresses are absolute."""
        counts, displacements, kind = self.data_of(p)
        terms = [self.condition(p), f"no_address({p.name})"]
        place = p.rules.get("in_place")
        if place:
            also = " || !role.at_root" if place == "at_root" else ""
            terms.append(f"({p.name} != MPI_IN_PLACE || {self.comm}->is_inter(){also})")
        if "also" in p.rules:
            terms.append(f"{p.name} != {p.rules['also']}")
        at = f'{p.position}, "{p.name}"'
        if "any" in p.rules:
            return
        if "bytes" in p.rules:  # no type says what lies there
            kind = f", {p.rules['class']}" if "class" in p.rules else ""
            wrong = f"check_buffer(c, {p.name}, {p.rules['bytes']}, {at}{kind})"
        elif kind is None:
            return
        elif counts is not None and counts.array and "amount" not in p.rules:
            displs = f"base::integers{{{displacements.name}, sizeof *{displacements.name}}}" if displacements else "{}"
            types = kind.name if kind.array else f"*{kind.name}_"
            # Where all neighbours are MPI_PROC_NULL, no buffer is looked at.
            number = self.length(counts)
            number = number.replace("out_degree(", "sends_to(").replace("in_degree(", "receives_from(")
            wrong = (f"check_blocks(c, {p.name}, base::integers{{{counts.name}, sizeof *{counts.name}}}, {displs}, "
                     f"{number}, {types}, {at})")
        else:
            count = p.rules.get("amount") or (counts.name if counts else "1")
            none = [f"{q.name} == MPI_PROC_NULL" for q in self.peers(p)]
            if none:
                count = f"{' && '.join(none)} ? 0 : {count}"
            if "times" in p.rules:
                count = f"{p.rules['times']} == 0 ? 0 : {count}"
            wrong = f"check_buffer(c, {p.name}, {count}, *{kind.name}_, {at})"
        self.add(f"if ({' && '.join(filter(None, terms))}) [[unlikely]] {{")
        self.add(f"  if (const int wrong = {wrong}) return wrong;")
        self.add("}")

    def peers(self, p):
        """Who the data goes to, or comes from: with MPI_PROC_NULL no buffer is looked at."""
        there = [q for q in self.f.parameters[p.position:] if q.rules.get("role") in ("destination", "source", "target")]
        if p.direction == "inout":
            return there
        wanted = [q for q in there if q.rules["role"] == ("destination" if p.const else "source")]
        return (wanted or there)[:1]

    def check_array(self, p):
        """Counts (or blocklengths) must not be negative; displacements may be anything."""
        length = self.length(p) if p.length else None
        if length is None or "optional" in p.rules:
            return
        error = p.rules.get("class") or NOT_NEGATIVE.get(p.kind) or POSITIVE.get(p.kind)
        least = 1 if p.kind in POSITIVE else 0
        condition = self.condition(p)
        indent = f"if ({condition}) " if condition else ""
        self.add(f"{indent}{{")
        if error and p.rules.get("range") != "any":
            self.add(f'  const int wrong = check_counts(c, {p.name}, {length}, {least}, {error}, {p.position}, "{p.name}");')
        else:
            self.add(f'  const int wrong = check_present(c, {p.name}, {length}, {p.position}, "{p.name}");')
        self.add("  if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;")
        self.add("}")

    def check_pairs(self):
        """Operation on type; aliased buffers."""
        f = self.f
        op, kind = f.parameter("op"), f.parameter("datatype")
        if op and kind and not op.pointer and is_object(op) and f.family not in ("Fetch_and_op",):
            condition = self.condition(op)
            guard = f"{condition} && " if condition else ""
            self.refuse(f"{guard}!reduces(op, *op_, *datatype_)", f'wrong_op({op.position}, "op", op, datatype)')
        for p in f.parameters:
            other = p.rules.get("alias")
            if not other:
                continue
            other_p = f.parameter(other)
            count = p.rules.get("alias_count", "count")
            terms = [self.condition(p), self.condition(other_p), f"{p.name} == {other}", f"{p.name} != nullptr"]
            terms += [p.rules.get("alias_if", ""), f"{count} > 0"]
            of = kind or f.parameter("sendtype")
            if of and is_object(of) and not of.array:
                terms.append(f"{of.name}_->core()->size() != 0")
            self.refuse(" && ".join(filter(None, terms)),
                        f'aliased({p.position}, "{p.name}", {other_p.position}, "{other}", {p.name})')

    # --- arguments ---

    def argument(self, p):
        f = self.f
        if is_object(p) or (is_freed(p) and p.type in OBJECTS):
            return f"*{p.name}_"
        if p.type == "MPI_Info" and (not p.pointer and "raw" not in p.rules or is_freed(p)):
            return f"{p.name}_"
        if p.type in INTEGERS and p.array == "[]" and p.const and wide_number(f, p):
            return f"base::integers{{{p.name}, sizeof *{p.name}}}"
        if p.type in INTEGERS and not p.pointer and wide_number(f, p):
            condition = self.condition(p)
            return f"{condition} ? {p.name} : 0" if condition else p.name
        if p.type in INTEGERS and p.stars == 1 and wide_number(f, p):
            if p.type != "int":
                return p.name
            return self.narrowed(p)
        return p.name

    def narrowed(self, p):
        """An int result of an implementation that gives 64 bits."""
        local = f"{p.name}_"
        start = f"*{p.name}" if p.direction == "inout" else "0"
        self.add(f"std::int64_t {local} = {start};")
        if p.rules.get("narrow") == "error":
            self.after.append(f'if (!fits_int({local})) [[unlikely]] return c.too_large({p.position}, "{p.name}", {local});')
            self.after.append(f"*{p.name} = static_cast<int>({local});")
        else:
            self.after.append(f"*{p.name} = narrow_or_undefined({local});")
        return "&" + local


def table_type(ctype):
    return HANDLE[ctype][0].removeprefix("mpi::") + "_table"


def null_name(ctype):
    return {"MPI_Comm": "MPI_COMM_NULL", "MPI_Group": "MPI_GROUP_NULL", "MPI_Datatype": "MPI_DATATYPE_NULL",
            "MPI_Op": "MPI_OP_NULL", "MPI_Info": "MPI_INFO_NULL", "MPI_Errhandler": "MPI_ERRHANDLER_NULL",
            "MPI_Session": "MPI_SESSION_NULL", "MPI_Win": "MPI_WIN_NULL", "MPI_File": "MPI_FILE_NULL"}[ctype]


def signature(f):
    parts = [f"[[maybe_unused]] {p.text}" for p in f.parameters]
    if f.variadic:
        parts.append("...")
    return ", ".join(parts)
