// Draws curves on two logarithmic axes, as an SVG picture without references to other files.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::command {

struct series {
  std::string name;
  std::string colour;
  bool line = true, dashed = false, marks = false;
  std::vector<std::pair<double, double>> points;  // left out where x or y is not above 0
};

struct panel {
  std::string title, x, y;
  std::vector<series> curves;
};

// The panels side by side, with one legend below, in which each name stands once.
std::string draw(std::span<const panel> panels);

}  // namespace loadstone::command
