"""Breaks long lines of generated C and C++, as clang-format would leave them for readers: first behind the condition of
an `if`, then behind a comma or before an operator, as far to the right as fits."""
import re

WIDTH = 110
STEP = 4  # more indentation for what a statement goes on with


def breaks(text):
    """Where a line may be broken: indices outside quotes at which the rest begins."""
    places = []
    quoted = False
    for i, c in enumerate(text):
        if c == '"' and text[i - 1] != "\\":
            quoted = not quoted
        elif c == " " and not quoted and (text[i - 1] == "," or re.match(r" (&&|\|\||\?|:) ", text[i:])):
            places.append(i + 1)
    return places


def fill(text, indent):
    """A statement that is too long, in lines."""
    lines, first = [], True
    while True:
        room = WIDTH - indent
        if len(text) <= room:
            return lines + [" " * indent + text]
        fitting = [i for i in breaks(text) if 0 < i - 1 <= room]
        if not fitting:
            raise SystemExit(f"wrapping.py: no place to break this line: {text}")
        lines.append(" " * indent + text[:fitting[-1]].rstrip())
        text = text[fitting[-1]:]
        if first:
            indent += STEP
            first = False


def wrap_line(line):
    text = line.lstrip(" ")
    indent = len(line) - len(text)
    if len(line) <= WIDTH or text.startswith(("#", "//", "*", "/*")):
        return [line]
    condition, unlikely, then = text.partition(" [[unlikely]] return ")
    if unlikely:
        return fill(f"{condition} [[unlikely]]", indent) + fill(f"return {then}", indent + 2)
    return fill(text, indent)


def wrap(text):
    return "\n".join(line for whole in text.split("\n") for line in wrap_line(whole))
