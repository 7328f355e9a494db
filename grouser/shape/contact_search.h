// All contacts between two smooth surfaces: every place where the gap is smallest nearby.
//
// Contacts that are known already are followed, by Newton's method from where they were. New ones
// are searched for among places where the surfaces may be near:
//
//   a ball on a map       cells of the map, found from a pyramid of heights; Newton's method in the
//                         two coordinates of the map, given up when it leaves its cell
//   everything else       cells of the second surface, found from a tree of balls; those whose
//                         neighbours are farther from the first surface are starts
//
// Nothing is allocated, and nothing but the surfaces and the pose matters for what is found.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "grouser/base/inline_list.h"
#include "grouser/shape/closest_points.h"
#include "grouser/shape/map_surface.h"
#include "grouser/shape/surface_samples.h"

namespace grouser {

/// Where a contact was.
struct ContactStart {
  SurfaceCoordinates x1, x2;
};

struct FoundContact {
  ClosestPoints at;
  int known = -1;  ///< which of the known contacts this is; -1: a new one
};

struct FoundContacts {
  static constexpr std::size_t kMost = 16;
  InlineList<FoundContact, kMost> all;  ///< known ones first
  int left_out = 0;                     ///< for want of room
};

/// Whether a pair is better taken the other way round: maps come first, then parametrised surfaces,
/// then bodies; of two of a kind that with more cells.
bool is_better_swapped(const SmoothSurface& first, const SmoothSurface& second);

class ContactSearch {
 public:
  /// A second surface with more cells than this, other than that of a ball on a map, would take too
  /// much memory.
  static constexpr std::size_t kMostCells = 1'000'000;

  /// Throws InputError if it has.
  ContactSearch(std::shared_ptr<const SmoothSurface> first,
                std::shared_ptr<const SmoothSurface> second);

  const SmoothSurface& first() const { return *first_; }
  const SmoothSurface& second() const { return *second_; }
  /// Whether contacts are found without coordinates on the second surface: on a ball they are not
  /// needed.
  bool leaves_second() const { return map_ != nullptr; }

  /// A known contact, followed to where it is now; none if it has gone. X_12 is where the second
  /// surface is, seen from the first.
  std::optional<ClosestPoints> follow(const Pose& X_12, const ContactStart& start) const;

  /// Adds a contact unless it is there already; whether it was added.
  bool add(const ClosestPoints& contact, int known, FoundContacts& out) const;

  /// Adds all others with a gap below `margin`.
  void search(const Pose& X_12, double margin, FoundContacts& out) const;

  /// The saddle between two contacts, where one goes over into the other; none if there is none.
  std::optional<ClosestPoints> find_saddle(const Pose& X_12, const ClosestPoints& one,
                                           const ClosestPoints& other) const;

 private:
  struct Cell {
    double x0, x1, y0, y1;
  };
  /// How Newton's method goes over a map.
  struct Way {
    const Cell* cell = nullptr;  ///< only as long as it stays there
    const Vec2* over =
        nullptr;              ///< to a saddle: up along this direction, down across it; else down
    bool* is_bent = nullptr;  ///< set where the distance is far from round
    double reach = 0.0;       ///< with a cell: given up if all of it seems to be farther away
  };
  std::optional<ClosestPoints> ball_on_map(const Vec3& centre, double x, double y,
                                           const Way& way) const;
  void search_ball(const Vec3& centre, double margin, FoundContacts& out) const;
  void search_samples(const Pose& X_12, double margin, FoundContacts& out) const;

  std::shared_ptr<const SmoothSurface> first_, second_;
  const MapSurface* map_ = nullptr;  // with ball_radius_ > 0: the quick way
  double ball_radius_ = 0.0;
  std::optional<SurfaceSamples> samples_;  // of the second, else
  double same_;                            // contacts nearer than this are one [m]
};

}  // namespace grouser
