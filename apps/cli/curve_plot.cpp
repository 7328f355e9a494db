#include "apps/cli/curve_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/base/text.h"

namespace grouser::cli {
namespace {

constexpr double kPanelWidth = 420, kPanelHeight = 260, kLeft = 64, kRight = 16, kTop = 34,
                 kBottom = 46, kTitle = 40;
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

std::string draw_panel(const CurvePanel& panel, const Axis& x_axis, const std::string& x_title,
                       double left, double top) {
  double low = 1e300, high = -1e300;
  for (const CurvePanel::Curve& curve : panel.curves)
    for (const double y : curve.y) {
      low = std::min(low, y);
      high = std::max(high, y);
    }
  const Axis y_axis = axis_around(std::min(low, 0.0), std::max(high, 0.0));
  const double width = kPanelWidth - kLeft - kRight, height = kPanelHeight - kTop - kBottom;
  const auto at_x = [&](double x) {
    return left + kLeft + width * (x - x_axis.low) / (x_axis.high - x_axis.low);
  };
  const auto at_y = [&](double y) {
    return top + kTop + height * (y_axis.high - y) / (y_axis.high - y_axis.low);
  };
  std::string out;
  for (double y = y_axis.low; y <= y_axis.high + 0.5 * y_axis.step; y += y_axis.step) {
    out += line_from(at_x(x_axis.low), at_y(y), at_x(x_axis.high), at_y(y), "grid");
    out += text_at(left + kLeft - 8, at_y(y) + 4,
                   to_text(std::abs(y) < 1e-9 * y_axis.step ? 0.0 : y, 4), "end");
  }
  for (double x = x_axis.low; x <= x_axis.high + 0.5 * x_axis.step; x += x_axis.step) {
    out += line_from(at_x(x), at_y(y_axis.low), at_x(x), at_y(y_axis.high), "grid");
    out += text_at(at_x(x), top + kPanelHeight - kBottom + 18,
                   to_text(std::abs(x) < 1e-9 * x_axis.step ? 0.0 : x, 4), "middle");
  }
  out += text_at(left + kLeft, top + kTop - 12, panel.title, "start");
  out += text_at(left + kLeft + 0.5 * width, top + kPanelHeight - 10, x_title, "middle");
  double legend = left + kPanelWidth - kRight;
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
    if (panel.curves.size() > 1) {
      // Names stand in their curve's colour; the rule for all texts would win over an attribute.
      std::string name = text_at(legend, top + kTop - 12, curve.name, "end");
      out += name.replace(0, 5, "<text style=\"fill: " + colour + "\"");
      legend -= 7.5 * static_cast<double>(curve.name.size()) + 14.0;
    }
  }
  return out;
}

}  // namespace

std::string draw_curves(const std::string& title, const std::string& x_title,
                        const std::vector<CurvePanel>& panels) {
  double low = 1e300, high = -1e300;
  for (const CurvePanel& panel : panels)
    for (const CurvePanel::Curve& curve : panel.curves)
      for (const double x : curve.x) {
        low = std::min(low, x);
        high = std::max(high, x);
      }
  const Axis x_axis = axis_around(low, high);
  const auto rows = static_cast<double>((panels.size() + 1) / 2);
  const double width = panels.size() > 1 ? 2.0 * kPanelWidth : kPanelWidth;
  const double height = kTitle + rows * kPanelHeight;
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + to_text(width, 5) +
                    " " + to_text(height, 5) +
                    "\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n"
                    "<style>text { fill: currentColor; } .grid { stroke: currentColor; "
                    "stroke-opacity: 0.18; } svg { background: #fff; color: #1a1a1a; } "
                    "@media (prefers-color-scheme: dark) { svg { background: #14171c; color: "
                    "#e8e8e8; } }</style>\n";
  out += "<g font-size=\"17\" font-weight=\"600\">" + text_at(kLeft, 27, title, "start") + "</g>\n";
  for (std::size_t i = 0; i < panels.size(); ++i)
    out += draw_panel(panels[i], x_axis, x_title, kPanelWidth * static_cast<double>(i % 2),
                      kTitle + kPanelHeight * static_cast<double>(i / 2));
  return out + "</svg>\n";
}

}  // namespace grouser::cli
