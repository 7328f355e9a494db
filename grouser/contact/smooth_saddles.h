// Contacts that have grown together.
//
// Two contacts of the same bodies may merge as these move on, or one may vanish on the slope of the
// other. If each had its own force until then, the force would leap. So forces are counted by
// depth: at every depth each connected piece of the overlap that goes so deep counts once. Two
// contacts with a saddle between them are two pieces down to the saddle and one above it: together
// they have law(d1) + law(d2) - law(d_saddle). Saddles that connect what is connected already do
// not count, so the deepest that make a tree do. What is taken away acts at the saddle: the force
// stays the slope of an energy.
//
// Where a contact meets its saddle both vanish together. A search loses such a contact a little
// before; so the two fade out where they are almost one.
#pragma once

#include <span>

#include "grouser/base/inline_list.h"
#include "grouser/contact/smooth.h"
#include "grouser/shape/contact_search.h"

namespace grouser {

/// A contact that overlaps.
struct Deep {
  const ClosestPoints* at;
  double depth;       ///< [m]
  std::size_t index;  ///< by which the caller knows it
};

struct Saddle {
  ClosestPoints at;
  std::size_t vanishing;  ///< the contact that meets the saddle first, the shallower one
  std::size_t staying;    ///< the other one
  double share;           ///< of what is taken away, for the vanishing one; half if both are alike
  double weight;          ///< of the vanishing one and the saddle; 1, and 0 where they meet
};
using Saddles = InlineList<Saddle, kMostSmoothContacts>;

/// `radius`: by which curvatures are measured [m].
Saddles find_saddles(const ContactSearch& search, const Pose& X_12, std::span<const Deep> contacts,
                     double radius);

}  // namespace grouser
