#include "grouser/contact/smooth_saddles.h"

#include <algorithm>
#include <numeric>

#include "grouser/base/assert.h"
#include "grouser/math/smooth.h"

namespace grouser {
namespace {

/// Between two contacts.
struct Edge {
  ClosestPoints at;
  std::size_t one, other;  // in the list of contacts
};

/// At the depth of the saddle a contact is about to vanish, and everything is taken from it.
double share_of(double depth, double other, double saddle) {
  const double above = depth + other - 2.0 * saddle;
  if (!(above > 0.0)) return 0.5;
  return smooth_step(0.5 * (1.0 - (depth - other) / above));
}

/// Less than 1 where a contact is almost as flat as a saddle and almost as deep as its own.
double weight_of(const Deep& contact, double saddle, double radius) {
  constexpr double kFlat = 0.03, kAlike = 0.05;
  const double round = smooth_step(gap_curvatures(*contact.at)[0] * radius / kFlat);
  const double apart = smooth_step((contact.depth - saddle) / (kAlike * contact.depth));
  return 1.0 - (1.0 - round) * (1.0 - apart);
}

}  // namespace

Saddles find_saddles(const ContactSearch& search, const Pose& X_12, std::span<const Deep> contacts,
                     double radius) {
  constexpr std::size_t kMostEdges = kMostSmoothContacts * (kMostSmoothContacts - 1) / 2;
  GROUSER_ASSERT(contacts.size() <= kMostSmoothContacts && radius > 0.0);
  InlineList<Edge, kMostEdges> edges;
  for (std::size_t j = 0; j < contacts.size(); ++j)
    for (std::size_t i = 0; i < j; ++i)
      if (const auto saddle = search.find_saddle(X_12, *contacts[i].at, *contacts[j].at);
          saddle && saddle->gap < 0.0)
        edges.add({*saddle, i, j});
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& a, const Edge& b) { return a.at.gap < b.at.gap; });

  Saddles out;
  std::size_t deepest[kMostSmoothContacts];  // of the piece a contact belongs to
  std::iota(deepest, deepest + contacts.size(), std::size_t{0});
  for (const Edge& edge : edges) {
    std::size_t vanishing = deepest[edge.one], staying = deepest[edge.other];
    if (vanishing == staying) continue;
    if (contacts[vanishing].depth > contacts[staying].depth) std::swap(vanishing, staying);
    std::replace(deepest, deepest + contacts.size(), vanishing, staying);
    const Deep &one = contacts[vanishing], &other = contacts[staying];
    const double depth = std::min(-edge.at.gap, one.depth);
    GROUSER_ASSERT(depth > 0.0 && one.depth <= other.depth);
    GROUSER_ASSERT(!out.full());
    out.add({edge.at, one.index, other.index, share_of(one.depth, other.depth, depth),
             weight_of(one, depth, radius)});
  }
  return out;
}

}  // namespace grouser
