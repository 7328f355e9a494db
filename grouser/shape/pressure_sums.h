// Integrals of a pressure over pieces of a surface.
#pragma once

#include "grouser/math/types.h"

namespace grouser {

/// What a pressure does to the body on whose surface it acts, and how it is spread. Positions are
/// relative to a point close by, along the axes of W.
struct PressureSums {
  Vec3 force = Vec3::Zero();   ///< integral of -pressure * normal
  Vec3 moment = Vec3::Zero();  ///< about the point close by
  double area = 0.0;           ///< where there is pressure
  double total = 0.0;          ///< integral of the pressure
  Vec3 first = Vec3::Zero();   ///< of pressure * position
  Mat3 second = Mat3::Zero();  ///< of pressure * position * position^T
};

/// The same for a pressure that is linear on triangles of one plane.
struct FaceSums {
  double area = 0.0, total = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  /// Corners, the pressures there, and the triangle's size.
  void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c, double qa, double qb, double qc,
                    double size) {
    const double q = qa + qb + qc;
    const Vec3 sum = a + b + c, weighted = qa * a + qb * b + qc * c;
    // Integrals of products of two and of three linear functions.
    const Vec3 both = q * sum + weighted;
    area += size;
    total += size / 3.0 * q;
    first += size / 12.0 * both;
    second +=
        size / 60.0 *
        (both * sum.transpose() + sum * weighted.transpose() + (q + 2.0 * qa) * a * a.transpose() +
         (q + 2.0 * qb) * b * b.transpose() + (q + 2.0 * qc) * c * c.transpose());
  }

  void add_to(PressureSums& sums, const Vec3& normal) const {
    sums.force -= total * normal;
    sums.moment -= first.cross(normal);
    sums.area += area;
    sums.total += total;
    sums.first += first;
    sums.second += second;
  }
};

/// The same along a line start + s direction that stands for a strip of surface.
struct LineSums {
  double area = 0.0;
  double total = 0.0, first = 0.0, second = 0.0;  // integrals of pressure * s^0, s^1, s^2

  void add_to(PressureSums& sums, double weight, const Vec3& start, const Vec3& direction,
              const Vec3& normal) const {
    const double w = weight * total;
    const Vec3 moved = w * start + weight * first * direction;
    sums.force -= w * normal;
    sums.moment -= moved.cross(normal);
    sums.area += weight * area;
    sums.total += w;
    sums.first += moved;
    const Vec3 mixed = weight * first * direction;
    sums.second += start * (w * start + mixed).transpose() + mixed * start.transpose() +
                   weight * second * direction * direction.transpose();
  }
};

}  // namespace grouser
