// The last digits of a contact: Newton's method on the reach of A minus B.
//
// Depth and distance are both the least of h(m) = max m . (a - b) over unit m. GJK and EPA find
// where it is and which pieces (vertices, rims, ellipsoids; see convex_support.h) of A and B meet
// there. That leaves a smooth problem: the least reach of one piece of each, along those m for
// which the other pieces reach as far.
#pragma once

#include <array>

#include "grouser/shape/convex_support.h"

namespace grouser::convex {

/// A direction, the reach of A minus B along it, and the points of A and B that touch.
struct Extreme {
  double reach = 0.0;
  Vec3 m = Vec3::UnitZ();
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
  bool one_of_many = false;  ///< directions beside it are as good
};

/// The pieces that meet, each once.
struct MeetingPieces {
  std::array<int, 4> a, b;
  int count_a = 0, count_b = 0;

  static void add(std::array<int, 4>& pieces, int& count, int piece) {
    for (int i = 0; i < count; ++i)
      if (pieces[static_cast<std::size_t>(i)] == piece) return;
    pieces[static_cast<std::size_t>(count++)] = piece;
  }
  void add(const DifferencePoint& point) {
    add(a, count_a, point.piece_a);
    add(b, count_b, point.piece_b);
  }
};

struct MeetingJets {
  std::array<PieceJet, 4> a, b;
  int count_a, count_b;
};

enum class NewtonStatus { going, done, failed };

/// One step of m; `at` takes the reach and the touching points for the m before it.
NewtonStatus newton_step(const MeetingJets& jets, double size, Vec3& m, Extreme& at);

/// True if `found` became a local minimum of the reach: the pieces touch there, and nothing of the
/// bodies reaches farther. `size`: of the bodies, for tolerances.
template <class Body>
bool polish(const Body& body, const MeetingPieces& pieces, Vec3 m, double size, Extreme& found) {
  NewtonStatus status = NewtonStatus::going;
  Extreme at;
  for (int i = 0; i < 16 && status == NewtonStatus::going; ++i) {
    MeetingJets jets;
    jets.count_a = pieces.count_a;
    jets.count_b = pieces.count_b;
    for (std::size_t k = 0; k < static_cast<std::size_t>(pieces.count_a); ++k)
      jets.a[k] = body.jet_a(pieces.a[k], m);
    for (std::size_t k = 0; k < static_cast<std::size_t>(pieces.count_b); ++k)
      jets.b[k] = body.jet_b(pieces.b[k], m);
    status = newton_step(jets, size, m, at);
  }
  if (status != NewtonStatus::done) return false;
  const double reach = at.m.dot(body.support(at.m).q);
  if (!(reach <= at.reach + 1e-12 * size)) return false;
  found = at;
  return true;
}

}  // namespace grouser::convex
