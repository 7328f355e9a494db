#include "apps/cli/curve_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/base/text.h"

namespace grouser::cli {
namespace {

constexpr double kPanelHeight = 260, kLeft = 64, kRight = 16, kTop = 34, kBottom = 46, kTitle = 40,
                 kLetter = 7.5, kGap = 14, kLegendRow = 18;
// Okabe and Ito (2008): told apart by everybody.
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

struct Axis {
  double low = 0.0, high = 1.0, step = 0.2;
};

/// Round numbers around all values.
Axis axis_around(double low, double high) {
  if (!(high > low)) {
    low -= 0.5;
    high += 0.5;
  }
  const double rough = (high - low) / 5.0;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * power;
  for (const double nice : {5.0, 2.0, 1.0})
    if (nice * power >= rough) step = nice * power;
  return {step * std::floor(low / step + 1e-9), step * std::ceil(high / step - 1e-9), step};
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string text_at(double x, double y, const std::string& text, const std::string& anchor) {
  return "<text x=\"" + to_text(x, 5) + "\" y=\"" + to_text(y, 5) + "\" text-anchor=\"" + anchor +
         "\">" + escaped(text) + "</text>\n";
}

std::string line_from(double x1, double y1, double x2, double y2, const char* style) {
  return "<line x1=\"" + to_text(x1, 5) + "\" y1=\"" + to_text(y1, 5) + "\" x2=\"" +
         to_text(x2, 5) + "\" y2=\"" + to_text(y2, 5) + "\" class=\"" + style + "\"/>\n";
}

double name_width(const std::string& name) {
  return kLetter * static_cast<double>(name.size()) + kGap;
}

/// Rows below the title that names of curves need where they do not fit beside it.
std::size_t legend_rows(const CurvePanel& panel, double panel_width) {
  if (panel.curves.size() < 2) return 0;
  const double row_width = panel_width - kLeft - kRight;
  double all = name_width(panel.title), used = 0.0;
  std::size_t rows = 1;
  for (const CurvePanel::Curve& curve : panel.curves) {
    const double width = name_width(curve.name);
    all += width;
    if (used + width > row_width && used > 0.0) {
      ++rows;
      used = 0.0;
    }
    used += width;
  }
  return all <= row_width ? 0 : rows;
}

double panel_height(const CurvePanel& panel, double panel_width) {
  return kPanelHeight + kLegendRow * static_cast<double>(legend_rows(panel, panel_width));
}

/// Names of the curves in their colours: beside the title from the right, or in rows below it.
std::string draw_legend(const CurvePanel& panel, double panel_width, double left, double top) {
  if (panel.curves.size() < 2) return "";
  const bool beside = legend_rows(panel, panel_width) == 0;
  const double first = left + kLeft, last = left + panel_width - kRight;
  double x = beside ? last : first, y = top + kTop - 12 + (beside ? 0.0 : kLegendRow);
  std::string out;
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    const std::size_t i = beside ? panel.curves.size() - 1 - k : k;
    const std::string& name = panel.curves[i].name;
    if (!beside && x + name_width(name) > last + kGap && x > first) {
      x = first;
      y += kLegendRow;
    }
    // The rule for all texts would win over an attribute.
    std::string text = text_at(x, y, name, beside ? "end" : "start");
    out += text.replace(0, 5,
                        std::string("<text style=\"fill: ") + kColours[i % kColours.size()] + "\"");
    x += beside ? -name_width(name) : name_width(name);
  }
  return out;
}

std::string draw_panel(const CurvePanel& panel, const Axis& x_axis, const std::string& x_title,
                       double panel_width, double left, double top) {
  double low = 1e300, high = -1e300;
  for (const CurvePanel::Curve& curve : panel.curves)
    for (const double y : curve.y) {
      low = std::min(low, y);
      high = std::max(high, y);
    }
  const Axis y_axis = axis_around(std::min(low, 0.0), std::max(high, 0.0));
  const double whole = panel_height(panel, panel_width), title = top + kTop - 12;
  const double width = panel_width - kLeft - kRight, height = kPanelHeight - kTop - kBottom;
  const double first = top + whole - kBottom - height;  // below title and legend
  const auto at_x = [&](double x) {
    return left + kLeft + width * (x - x_axis.low) / (x_axis.high - x_axis.low);
  };
  const auto at_y = [&](double y) {
    return first + height * (y_axis.high - y) / (y_axis.high - y_axis.low);
  };
  std::string out;
  for (double y = y_axis.low; y <= y_axis.high + 0.5 * y_axis.step; y += y_axis.step) {
    out += line_from(at_x(x_axis.low), at_y(y), at_x(x_axis.high), at_y(y), "grid");
    out += text_at(left + kLeft - 8, at_y(y) + 4,
                   to_text(std::abs(y) < 1e-9 * y_axis.step ? 0.0 : y, 4), "end");
  }
  for (double x = x_axis.low; x <= x_axis.high + 0.5 * x_axis.step; x += x_axis.step) {
    out += line_from(at_x(x), at_y(y_axis.low), at_x(x), at_y(y_axis.high), "grid");
    out += text_at(at_x(x), top + whole - kBottom + 18,
                   to_text(std::abs(x) < 1e-9 * x_axis.step ? 0.0 : x, 4), "middle");
  }
  out += text_at(left + kLeft, title, panel.title, "start");
  out += text_at(left + kLeft + 0.5 * width, top + whole - 10, x_title, "middle");
  for (std::size_t i = panel.curves.size(); i-- > 0;) {
    const CurvePanel::Curve& curve = panel.curves[i];
    const std::string colour = kColours[i % kColours.size()];
    if (curve.points) {
      for (std::size_t k = 0; k < curve.x.size(); ++k)
        out += "<circle cx=\"" + to_text(at_x(curve.x[k]), 5) + "\" cy=\"" +
               to_text(at_y(curve.y[k]), 5) + "\" r=\"4\" fill=\"" + colour + "\"/>\n";
    } else {
      std::string points;
      for (std::size_t k = 0; k < curve.x.size(); ++k)
        points += to_text(at_x(curve.x[k]), 5) + "," + to_text(at_y(curve.y[k]), 5) + " ";
      out += "<polyline points=\"" + points + "\" fill=\"none\" stroke-width=\"2\" stroke=\"" +
             colour + "\"/>\n";
    }
  }
  return out + draw_legend(panel, panel_width, left, top);
}

}  // namespace

std::string draw_curves(const std::string& title, const std::string& x_title,
                        const std::vector<CurvePanel>& panels, const CurveLayout& layout) {
  double low = 1e300, high = -1e300;
  for (const CurvePanel& panel : panels)
    for (const CurvePanel::Curve& curve : panel.curves)
      for (const double x : curve.x) {
        low = std::min(low, x);
        high = std::max(high, x);
      }
  const Axis x_axis = axis_around(low, high);
  std::vector<double> tops = {kTitle};  // of the rows
  for (std::size_t i = 0; i < panels.size(); i += layout.columns) {
    double highest = 0.0;
    for (std::size_t k = i; k < std::min(panels.size(), i + layout.columns); ++k)
      highest = std::max(highest, panel_height(panels[k], layout.panel_width));
    tops.push_back(tops.back() + highest);
  }
  const double width =
      layout.panel_width * static_cast<double>(std::min(layout.columns, panels.size()));
  const double height = tops.back();
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + to_text(width, 5) +
                    " " + to_text(height, 5) +
                    "\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n"
                    "<style>text { fill: currentColor; } .grid { stroke: currentColor; "
                    "stroke-opacity: 0.18; } svg { background: #fff; color: #1a1a1a; } "
                    "@media (prefers-color-scheme: dark) { svg { background: #14171c; color: "
                    "#e8e8e8; } }</style>\n";
  out += "<g font-size=\"17\" font-weight=\"600\">" + text_at(kLeft, 27, title, "start") + "</g>\n";
  for (std::size_t i = 0; i < panels.size(); ++i)
    out += draw_panel(panels[i], x_axis, x_title, layout.panel_width,
                      layout.panel_width * static_cast<double>(i % layout.columns),
                      tops[i / layout.columns]);
  return out + "</svg>\n";
}

}  // namespace grouser::cli
