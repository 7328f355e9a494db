// The cells along the outline of a patch.
#include <algorithm>
#include <cmath>

#include "grouser/soil/envelope_drawing.h"

namespace grouser::envelope {

namespace {

constexpr double kTiny = 1e-300;

/// Shortens [begin, end], parts of the way from a to b, to where it is between 0 and `size`.
bool shorten(double a, double b, int size, double& begin, double& end) {
  const double least = lesser(a, b), most = greater(a, b);
  if (least >= 0.0 && most <= size) return true;
  if (most < 0.0 || least > size) return false;
  const double low = (0.0 - a) / (b - a), high = (size - a) / (b - a);
  begin = greater(begin, lesser(low, high));
  end = lesser(end, greater(low, high));
  return begin < end;
}

}  // namespace

void Drawing::add_outline(const Point& from, const Point& to, const Patch& patch) {
  const bool from_in = from.z <= ceiling_, to_in = to.z <= ceiling_;
  if (!from_in && !to_in) return;
  if (from_in && to_in) return add_line(from, to, patch);
  const Point cut = crossing(from, to, ceiling_);
  from_in ? add_line(from, cut, patch) : add_line(cut, to, patch);
}

void Drawing::add_foot(const Point& from, const Point& to, const Patch& patch) {
  covers_ = false;
  add_outline(from, to, patch);
  covers_ = true;
}

void Drawing::add_cut(const Patch& patch) {
  Point leaving{}, first_return{};
  bool away = false, returned_first = false;
  for (std::size_t k = 0; k < patch.count; ++k) {
    const Point a = patch.corner(k), b = patch.corner(k + 1 < patch.count ? k + 1 : 0);
    const bool a_in = a.z <= ceiling_, b_in = b.z <= ceiling_;
    if (a_in == b_in) continue;
    const Point cut = crossing(a, b, ceiling_);
    if (a_in)
      leaving = cut;
    else if (away)
      add_line(leaving, cut, patch);
    else
      first_return = cut, returned_first = true;
    away = a_in;
  }
  if (away && returned_first) add_line(leaving, first_return, patch);
}

/// Adds what lies to the right of a line, as far as it is in the window.
void Drawing::add_line(const Point& from, const Point& to, const Patch& patch) {
  const Point a{from.u + 0.5, from.v + 0.5, from.z};
  const Point b{to.u + 0.5, to.v + 0.5, to.z};
  const double side = patch.side == kDown ? 1.0 : -1.0;
  const Line line{pieces_[patch.side - 1].data(), covers_ ? side : 0.0, patch.drop, patch.z.least,
                  patch.wall};
  const bool inside = lesser(lesser(a.u, b.u), lesser(a.v, b.v)) >= 0.0 &&
                      greater(a.u, b.u) <= nx_ && greater(a.v, b.v) <= ny_;
  inside ? add_pieces(a, b, line) : add_clipped(a, b, line);
}

/// Lines are cut at the borders of the window; what is left of it is as good as on its border.
void Drawing::add_clipped(const Point& a, const Point& b, const Line& line) {
  double begin = 0.0, end = 1.0;
  if (!shorten(a.v, b.v, ny_, begin, end)) return;
  const double first = begin, last = end;
  if (!shorten(a.u, b.u, nx_, begin, end)) {
    // Of a line that goes past a corner of the window, the part beside it counts.
    if (between(a, b, 0.5 * (first + last)).u < 0.0)
      add_left(between(a, b, first).v, between(a, b, last).v, line);
    return;
  }
  const Point from = between(a, b, begin), to = between(a, b, end);
  if (a.u < 0.0) add_left(between(a, b, first).v, from.v, line);
  if (b.u < 0.0) add_left(to.v, between(a, b, last).v, line);
  add_pieces(from, to, line);
}

/// A line left of the window, between two v.
void Drawing::add_left(double from, double to, const Line& line) {
  const double low = greater(lesser(from, to), 0.0), high = lesser(greater(from, to), ny_);
  const double direction = to > from ? line.sign : -line.sign;
  for (int row = static_cast<int>(low); row < high; ++row)
    line.pieces[2 * first_of(row)] += direction * (lesser(high, row + 1.0) - greater(low, row));
}

/// A line inside the window, cell by cell.
void Drawing::add_pieces(const Point& a, const Point& b, const Line& line) {
  const auto cell = [](double x, int count) {
    return std::min(static_cast<int>(greater(x, 0.0)), count - 1);
  };
  int iu = cell(a.u, nx_), iv = cell(a.v, ny_);
  const int last_u = cell(b.u, nx_), last_v = cell(b.v, ny_);
  const double du = b.u - a.u, dv = b.v - a.v, dz = b.z - a.z;
  const std::size_t start = first_of(iv) + static_cast<std::size_t>(iu);
  double* piece = line.pieces + 2 * start;
  Rim* rim = rims_.data() + start;
  const double signed_dv = line.sign * dv;
  const double per_square = 1.0 / greater(du * du + dv * dv, kTiny);
  const auto add_piece = [&](double from, double to) {
    const double middle = 0.5 * (from + to);
    const double cover = signed_dv * (to - from);
    store(piece, load2(piece) + Double2{cover, cover * (a.u - iu + middle * du)});
    // The point of the piece next to the node.
    const double u = iu + 0.5 - a.u, v = iv + 0.5 - a.v;
    const double foot = clamped((u * du + v * dv) * per_square, from, to);
    const double far_u = u - foot * du, far_v = v - foot * dv;
    const double straight = a.z + foot * dz;
    const double z = greater(straight - line.drop, lesser(straight, line.least));
    line.wall ? rim->add_wall(z) : rim->add(far_u * far_u + far_v * far_v, z);
  };

  int steps_u = std::abs(last_u - iu), steps_v = std::abs(last_v - iv);
  double t = 0.0;
  if (steps_u + steps_v > 0) {
    // When the next line of the grid is passed: the right or the left one of the cell.
    const int step_u = du > 0.0 ? 1 : -1, step_v = dv > 0.0 ? 1 : -1;
    const std::ptrdiff_t step_row = step_v * static_cast<std::ptrdiff_t>(nx_);
    const double per_u = 1.0 / du, per_v = 1.0 / dv;
    const double ahead_u = (du > 0.0 ? 1.0 : 0.0) - a.u, ahead_v = (dv > 0.0 ? 1.0 : 0.0) - a.v;
    double next_u = steps_u > 0 ? (iu + ahead_u) * per_u : kInfinity;
    double next_v = steps_v > 0 ? (iv + ahead_v) * per_v : kInfinity;
    do {
      if (next_u < next_v) {
        const double next = lesser(next_u, 1.0);
        add_piece(t, next);
        t = next;
        iu += step_u;
        piece += 2 * step_u;
        rim += step_u;
        next_u = --steps_u > 0 ? (iu + ahead_u) * per_u : kInfinity;
      } else {
        const double next = lesser(next_v, 1.0);
        add_piece(t, next);
        t = next;
        iv += step_v;
        piece += 2 * step_row;
        rim += step_row;
        next_v = --steps_v > 0 ? (iv + ahead_v) * per_v : kInfinity;
      }
    } while (steps_u + steps_v > 0);
  }
  add_piece(t, 1.0);
}

}  // namespace grouser::envelope
