// Curves on two logarithmic axes, as an SVG picture that needs nothing beside it.
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
  std::vector<std::pair<double, double>> points;  // both above 0; others are left out
};

struct panel {
  std::string title, x, y;
  std::vector<series> curves;
};

// The panels side by side, with a legend below; series of the same name and colour stand there
// once.
std::string draw(std::span<const panel> panels);

}  // namespace loadstone::command
