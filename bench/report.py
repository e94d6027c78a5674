#!/usr/bin/env python3
"""One self-contained HTML file with plots and tables of what compare.py has measured.

usage: report.py RESULTS.json REPORT.html      (needs matplotlib: build/venv/bench, which compare.py makes)
"""

import html
import io
import pathlib
import re
import statistics
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plot  # noqa: E402
from results import HABITS, Results, bare, size_name, tables  # noqa: E402

# Told apart with every kind of colour vision, and by their marks; ours first.
LOOKS = (("#0072b2", "o"), ("#d55e00", "s"), ("#009e73", "^"), ("#cc79a7", "D"), ("#e69f00", "v"))
LIMIT = {"color": "black", "linestyle": "--", "linewidth": 1}
HABIT_TEXT = {"same": "buffer not touched between messages", "rewritten": "sender writes the buffer before each message",
              "cold": "both sides walk through memory larger than the caches",
              "allocated": "rewritten, both buffers from MPI_Alloc_mem"}
STYLE = """
body { font: 15px/1.5 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: .5em 0 2em; } caption { text-align: left; font-weight: bold; padding: .3em 0; }
th, td { padding: .15em .7em; text-align: right; border-bottom: 1px solid #ddd; } th:first-child { text-align: left; }
small { color: #777; } svg { max-width: 100%; height: auto; } .best { font-weight: bold; }
"""


def as_svg(figure, number: int) -> str:
    """Inline SVG whose ids are different from those of the other pictures of the page."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", bbox_inches="tight", metadata={"Date": None})
    plot.close(figure)
    text = stream.getvalue()
    text = text[text.index("<svg"):]
    return re.sub(r'(id="|href="#|url\(#)', rf"\g<1>p{number}-", text)


def limit_curve(results: Results, habit: str) -> dict:
    """Size -> microseconds of one hand-over of a line and one copy by one core."""
    line = results.limits.get(("handover", "one line", 8))
    if not line:
        return {}
    copies = {n: statistics.median(values) for (figure, how, n), values in results.limits.items()
              if figure == "memcpy" and how == bare(habit)}
    return {8: statistics.median(line)} | {n: statistics.median(line) + took for n, took in sorted(copies.items())}


def over_size(results: Results, figure_name: str, habits: tuple, show, label: str):
    """One picture a habit, side by side: every library and the limit, over the size of the message."""
    habits = [h for h in habits if any(k[0] == figure_name and k[1] == h for k in results.samples)]
    if not habits:
        return None
    figure, axes = plot.subplots(1, len(habits), figsize=(5.2 * len(habits), 4.4), squeeze=False)
    for axis, habit in zip(axes[0], habits):
        keys = sorted(k for k in results.samples if k[0] == figure_name and k[1] == habit and k[2] > 0)
        for name, (colour, mark) in zip(results.names, LOOKS):
            points = [(k[2], show(k, results.median(k, name))) for k in keys if results.median(k, name)]
            axis.plot(*zip(*points), color=colour, marker=mark, markersize=4, linewidth=1.3, label=name)
        curve = limit_curve(results, habit)
        points = [(n, show((figure_name, habit, n), took)) for n, took in curve.items() if n >= keys[0][2]]
        if points:
            axis.plot(*zip(*points), label="limit: hand-over of a line + one copy", **LIMIT)
        axis.set_xscale("log", base=2)
        axis.set_yscale("log")
        sizes = [k[2] for k in keys]
        axis.set_xticks(sizes, [size_name(n) for n in sizes], rotation=60, fontsize=8)
        axis.minorticks_off()
        axis.set_xlabel("bytes")
        axis.set_ylabel(label)
        axis.set_title(HABIT_TEXT[habit], fontsize=10)
        axis.grid(True, which="major", color="#ddd", linewidth=0.6)
    axes[0][0].legend(fontsize=8)
    return figure


def bars(results: Results, table):
    """What does not depend on a size of many values: a group of bars a figure."""
    rows = list(results.rows(table))
    figure, axis = plot.subplots(figsize=(1.6 + 1.3 * len(rows), 3))
    width = 0.8 / len(results.names)
    for i, (name, (colour, _)) in enumerate(zip(results.names, LOOKS)):
        places = [r + (i - (len(results.names) - 1) / 2) * width for r in range(len(rows))]
        axis.bar(places, [row[3][name][0] if name in row[3] else 0 for row in rows], width, color=colour, label=name)
    values = [cell[0] for row in rows for cell in row[3].values()]
    if values and min(values) > 0 and max(values) > 30 * min(values):
        axis.set_yscale("log")
    axis.set_xticks(range(len(rows)), [f"{row[0][1]} {size_name(row[0][2])}" for row in rows], fontsize=8)
    axis.set_ylabel(table.unit, fontsize=9)
    axis.set_title(table.title, fontsize=10)
    axis.legend(fontsize=7)
    return figure


def table_html(results: Results, table) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in results.names)
    lines = [f"<table><caption>{html.escape(table.title)} ({html.escape(table.unit)})</caption>",
             f"<tr><th></th><th>bytes or number</th><th>limit</th>{head}</tr>"]
    for key, limit, what, cells in results.rows(table):
        row = f"<th>{html.escape(key[1])}</th><td>{size_name(key[2])}</td>"
        row += f"<td>{limit:.3f} <small>{what}</small></td>" if limit is not None else "<td></td>"
        for name in results.names:
            if name not in cells:
                row += "<td>–</td>"
                continue
            shown, wide, ratio = cells[name]
            row += f"<td>{shown:.3f} <small>±{100 * wide:.0f} %{'' if ratio is None else f', {ratio:.3g}×'}</small></td>"
        lines.append(f"<tr>{row}</tr>")
    return "\n".join(lines) + "</table>"


def page(results: Results) -> str:
    about = results.about
    plot.rcParams["svg.fonttype"] = "none"
    plot.rcParams["svg.hashsalt"] = "loadstone"
    pictures = [over_size(results, "pingpong", HABITS, lambda key, took: took, "one way, µs"),
                over_size(results, "pingpong", HABITS, lambda key, took: key[2] / took / 1e3, "GB/s"),
                over_size(results, "both", HABITS, lambda key, took: key[2] / took / 1e3, "both directions at once, GB/s each")]
    others = [t for t in tables(about["cpus"]) if any(True for _ in results.rows(t))]
    pictures += [bars(results, t) for t in others
                 if not t.best and not any(key[0] in ("pingpong", "both") for key, *_ in results.rows(t))]
    svgs = [as_svg(figure, i) for i, figure in enumerate(pictures) if figure is not None]
    contestants = "".join(f"<li><b>{html.escape(name)}</b>: {html.escape(words['version'])} "
                          f"<small>[{html.escape(words['notes'])}]</small></li>"
                          for name, words in about["contestants"].items())
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Loadstone beside other MPIs</title><style>{STYLE}</style>
<h1>Loadstone beside other MPIs</h1>
<p>{about['machine']}, {about['cpus']} CPUs, kernel {html.escape(about['kernel'])}; load {about['load']:.1f}; {about['date']};
{about['rounds']} rounds{', MPI_THREAD_MULTIPLE' if about.get('threads') else ''}, the libraries by turns, the limits of the machine measured between them. Medians; ± is half the
distance between the quartiles; × is the figure divided by ours. Only ratios within this page mean something.</p>
<ul>{contestants}</ul>
{"".join(f"<p>{svg}</p>" for svg in svgs)}
<h2>All figures</h2>
{"".join(table_html(results, t) for t in others)}
</html>
"""


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    target = pathlib.Path(sys.argv[2])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(Results.read(pathlib.Path(sys.argv[1]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
