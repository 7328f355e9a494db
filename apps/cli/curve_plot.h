// Curves as a picture that any browser opens.
#pragma once

#include <string>
#include <vector>

namespace grouser::cli {

struct CurvePanel {
  std::string title;  ///< "drawbar pull [N]"
  struct Curve {
    std::string name;
    std::vector<double> x, y;
    bool points = false;  ///< marks, not a line
  };
  std::vector<Curve> curves;
};

struct CurveLayout {
  std::size_t columns = 2;  ///< of panels
  double panel_width = 420;
};

/// An SVG with panels that all have the same x axis. Light and dark like the page that shows it.
std::string draw_curves(const std::string& title, const std::string& x_title,
                        const std::vector<CurvePanel>& panels, const CurveLayout& layout = {});

}  // namespace grouser::cli
