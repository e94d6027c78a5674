#!/usr/bin/env python3
"""Breaks text anew that is wider than .ci/check_widths allows.  usage: wrap_text.py FILE...

Notes (*.md): paragraphs and list items; not tables, code, headings and links. Sources: comments that have a line to
themselves. A paragraph whose lines all fit stays as it is; so does what is laid out in columns, and the pictures of layout headers.
"""

import pathlib
import re
import sys
import textwrap

COMMENT, NOTE = 100, 120
MARK = re.compile(r"(\s*)(?:[-*]|\d+\.)\s+")
COLUMNS = re.compile(r"\S {2,}\S")  # two blanks inside a line: laid out by hand
PICTURE = re.compile(r" *//   ")  # in a layout header: what lies where
WIDEST_LABEL = 24  # of an item whose text hangs behind it
LABEL = re.compile(r"[a-z_]+(?: \([^)]*\))?: ")  # "linear: gather to rank 0 ...", continued further in


def fill(text: str, width: int, first: str, rest: str) -> list:
    """Lines of at most `width` columns; what stands in `backquotes` is not broken."""
    text = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False,
                          break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def note(text: str) -> str:
    lines, out, at, code = text.split("\n"), [], 0, False

    def stands_alone(line: str) -> bool:
        return not line.strip() or line.startswith(("|", "#")) or bool(re.match(r"\[[^\]]+\]: ", line))

    while at < len(lines):
        line = lines[at]
        if line.lstrip().startswith("```"):
            code = not code
        if code or line.lstrip().startswith("```") or stands_alone(line):
            out.append(line)
            at += 1
            continue
        end = at + 1
        while end < len(lines) and not (stands_alone(lines[end]) or MARK.match(lines[end])
                                        or lines[end].lstrip().startswith("```")):
            end += 1
        block = lines[at:end]
        at = end
        if all(len(one) <= NOTE for one in block):
            out += block
            continue
        mark = MARK.match(block[0])
        first = mark[0] if mark else re.match(r"\s*", block[0])[0]
        text = " ".join([block[0][len(first):], *(one.strip() for one in block[1:])])
        out += fill(text, NOTE, first, " " * len(first))
    return "\n".join(out)


def items(lines: list) -> list:
    """A paragraph's parts, (column, lines): text at column 0, or an item whose text begins at that column."""
    labelled = any(LABEL.match(one) and re.match(r" {2,3}\S", two) for one, two in zip(lines, lines[1:]))
    parts = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        columns = COLUMNS.search(line)
        if parts and not columns and indent and indent == parts[-1][0]:
            parts[-1][1].append(line)
        elif columns or indent:
            label = re.match(r" *\S+(?: \S+)*? {2,}", line)
            hangs = label and len(label[0]) <= WIDEST_LABEL
            parts.append((len(label[0]) if hangs else indent, [line]))
        elif labelled and LABEL.match(line):
            parts.append((2, [line]))
        elif MARK.match(line):
            parts.append((len(MARK.match(line)[0]), [line]))
        elif parts and parts[-1][0] == 0:
            parts[-1][1].append(line)
        else:
            parts.append((0, [line]))
    return parts


def comments(text: str, pictures: bool) -> str:
    lines, out, at = text.split("\n"), [], 0
    while at < len(lines):
        if pictures and PICTURE.match(lines[at]):
            out.append(lines[at])
            at += 1
            continue
        lead = re.match(r" *// ?(?=\S|  )", lines[at])
        if not lead or lines[at].rstrip() == lead[0].rstrip():
            out.append(lines[at])
            at += 1
            continue
        lead, end = lead[0].rstrip() + " ", at
        while end < len(lines) and lines[end].startswith(lead) and lines[end].strip() != "//" and not (
                pictures and PICTURE.match(lines[end])):
            end += 1
        block = lines[at:end] or [lines[at]]
        at = max(end, at + 1)
        if all(len(one) <= COMMENT for one in block):
            out += block
            continue
        for column, part in items([one[len(lead):] for one in block]):
            body = " ".join([part[0][column if COLUMNS.search(part[0]) or not LABEL.match(part[0]) else 0:].strip(),
                             *(one.strip() for one in part[1:])])
            if all(len(lead) + len(one) <= COMMENT for one in part) or COLUMNS.search(body):
                out += [lead + one for one in part]
            else:
                hang = part[0][:len(part[0]) - len(part[0][column:].lstrip())] if not LABEL.match(part[0]) else ""
                out += fill(body, COMMENT, lead + hang, lead + " " * column)
    return "\n".join(out)


def main() -> int:
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        text = path.read_text()
        new = note(text) if path.suffix == ".md" else comments(text, path.name.endswith("_layout.hpp"))
        if new != text:
            path.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
