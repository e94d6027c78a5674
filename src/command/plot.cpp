#include "command/plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace loadstone::command {

namespace {

constexpr double width = 560, height = 420, left = 70, right = 20, top = 40, bottom = 60, legend = 130;

std::string escaped(const std::string& text) {
  std::string safe;
  for (char c : text) safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

std::string size_text(double bytes) {
  if (bytes >= 1 << 20) return fmt::format("{:g} Mi", bytes / (1 << 20));
  if (bytes >= 1 << 10) return fmt::format("{:g} Ki", bytes / (1 << 10));
  return fmt::format("{:g}", bytes);
}

// A logarithmic axis: the values low to high are drawn at the coordinates from to to.
struct axis {
  double low = 0, high = 0, from = 0, to = 0;
  void include(double value) {
    low = low == 0 ? value : std::min(low, value);
    high = std::max(high, value);
  }
  double at(double value) const { return from + (to - from) * std::log(value / low) / std::log(high / low); }
};

bool usable(const std::pair<double, double>& p) {
  return p.first > 0 && p.second > 0;
}

void add_grid(std::string& out, const panel& p, const axis& x, const axis& y) {
  for (double bytes = x.low; bytes <= x.high; bytes *= 4) {
    out += fmt::format("<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' class='grid'/>", x.at(bytes), top,
                       height - bottom);
    out += fmt::format("<text x='{:.1f}' y='{}' class='tick' text-anchor='middle'>{}</text>", x.at(bytes),
                       height - bottom + 16, size_text(bytes));
  }
  for (double value = y.low; value <= y.high * 1.001; value *= 10) {
    out += fmt::format("<line y1='{0:.1f}' y2='{0:.1f}' x1='{1}' x2='{2}' class='grid'/>", y.at(value), left,
                       width - right);
    out += fmt::format("<text x='{}' y='{:.1f}' class='tick' text-anchor='end'>{:g}</text>", left - 6,
                       y.at(value) + 4, value);
  }
  out += fmt::format("<text x='{}' y='22' class='title' text-anchor='middle'>{}</text>", width / 2,
                     escaped(p.title));
  out += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>", width / 2, height - bottom + 38,
                     escaped(p.x));
  out += fmt::format("<text transform='translate(16,{}) rotate(-90)' text-anchor='middle'>{}</text>",
                     height / 2, escaped(p.y));
}

void add_curve(std::string& out, const series& s, const axis& x, const axis& y) {
  std::string path;
  for (const auto& point : s.points) {
    if (!usable(point)) continue;
    path += fmt::format("{:.1f},{:.1f} ", x.at(point.first), y.at(point.second));
    if (s.marks)
      out += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3.2' fill='{}'/>", x.at(point.first),
                         y.at(point.second), s.colour);
  }
  if (s.line)
    out += fmt::format("<polyline points='{}' fill='none' stroke='{}' stroke-width='1.4'{}/>", path, s.colour,
                       s.dashed ? " stroke-dasharray='5 4'" : "");
}

void add_panel(std::string& out, const panel& p) {
  axis x, y;
  for (const series& s : p.curves)
    for (const auto& point : s.points) {
      if (!usable(point)) continue;
      x.include(point.first);
      y.include(point.second);
    }
  if (x.low == x.high) return;
  y.low = std::pow(10, std::floor(std::log10(y.low)));
  y.high = std::pow(10, std::ceil(std::log10(y.high) + 1e-9));
  x.from = left, x.to = width - right, y.from = height - bottom, y.to = top;
  add_grid(out, p, x, y);
  for (const series& s : p.curves) add_curve(out, s, x, y);
}

void add_legend(std::string& out, std::span<const panel> panels) {
  std::vector<const series*> named;
  for (const panel& p : panels)
    for (const series& s : p.curves)
      if (std::none_of(named.begin(), named.end(), [&](const series* n) { return n->name == s.name; }))
        named.push_back(&s);
  for (std::size_t i = 0; i < named.size(); ++i) {
    const series& s = *named[i];
    const double at_x = left + static_cast<double>(i % 3) * 340,
                 at_y = height + 10 + static_cast<double>(i / 3) * 20;
    if (s.line)
      out += fmt::format("<line x1='{}' x2='{}' y1='{}' y2='{}' stroke='{}' stroke-width='1.6'{}/>", at_x,
                         at_x + 28, at_y - 4, at_y - 4, s.colour, s.dashed ? " stroke-dasharray='5 4'" : "");
    if (s.marks)
      out += fmt::format("<circle cx='{}' cy='{}' r='3.2' fill='{}'/>", at_x + 14, at_y - 4, s.colour);
    out += fmt::format("<text x='{}' y='{}'>{}</text>", at_x + 36, at_y, escaped(s.name));
  }
}

}  // namespace

std::string draw(std::span<const panel> panels) {
  const double all = std::max(width * static_cast<double>(panels.size()), 1120.0);
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
      "font-family='sans-serif' "
      "font-size='12'>\n<style>.grid{{stroke:#ddd;stroke-width:.7}} .tick{{font-size:10px;fill:#555}} "
      ".title{{font-size:14px;font-weight:bold}}</style>\n<rect width='{0}' height='{1}' fill='white'/>\n",
      all, height + legend);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    out += fmt::format("<g transform='translate({},0)'>", static_cast<double>(i) * width);
    add_panel(out, panels[i]);
    out += "</g>\n";
  }
  add_legend(out, panels);
  return out + "</svg>\n";
}

}  // namespace loadstone::command
