#include "grouser/contact/smooth_passes.h"

#include <algorithm>
#include <numeric>

#include "grouser/math/smooth.h"

namespace grouser {
namespace {

/// Between two contacts.
struct Edge {
  ClosestPoints at;
  std::size_t one, other;  // in the list of contacts
};

/// At the depth of the pass a contact is about to vanish, and everything is taken from it.
double share_of(double depth, double other, double pass) {
  const double above = depth + other - 2.0 * pass;
  if (!(above > 0.0)) return 0.5;
  return smooth_step(0.5 * (1.0 - (depth - other) / above));
}

}  // namespace

Passes find_passes(const ContactSearch& search, const Pose& X_12, std::span<const Deep> contacts) {
  constexpr std::size_t kMostEdges = kMostSmoothContacts * (kMostSmoothContacts - 1) / 2;
  InlineList<Edge, kMostEdges> edges;
  for (std::size_t j = 0; j < contacts.size(); ++j)
    for (std::size_t i = 0; i < j; ++i)
      if (const auto pass = search.find_pass(X_12, *contacts[i].at, *contacts[j].at);
          pass && pass->gap < 0.0)
        edges.add({*pass, i, j});
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& a, const Edge& b) { return a.at.gap < b.at.gap; });

  Passes out;
  std::size_t piece[kMostSmoothContacts];
  std::iota(piece, piece + contacts.size(), std::size_t{0});
  for (const Edge& edge : edges) {
    const std::size_t from = piece[edge.one], to = piece[edge.other];
    if (from == to) continue;
    std::replace(piece, piece + contacts.size(), from, to);
    const Deep &one = contacts[edge.one], &other = contacts[edge.other];
    const double depth = -edge.at.gap;
    out.add({edge.at, one.index, other.index,
             share_of(one.depth, other.depth, std::min({depth, one.depth, other.depth}))});
  }
  return out;
}

}  // namespace grouser
