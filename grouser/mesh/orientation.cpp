#include "grouser/mesh/orientation.h"

#include <array>
#include <cstddef>

namespace grouser {

namespace {

/// A number without rounding: the sum of doubles whose bits do not overlap, smallest first, none of
/// them zero. The operations are those of Shewchuk (1997), section 2.
class Exact {
 public:
  Exact() {}
  Exact(const Exact& other) { *this = other; }
  Exact& operator=(const Exact& other) {
    count_ = other.count_;
    for (std::size_t i = 0; i < count_; ++i) parts_[i] = other.parts_[i];
    return *this;
  }
  static Exact difference(double a, double b) {
    Exact out;
    const Rounded sum = two_sum(a, -b);
    out.append(sum.error);
    out.append(sum.value);
    return out;
  }

  int sign() const {
    if (count_ == 0) return 0;
    return parts_[count_ - 1] > 0.0 ? 1 : -1;
  }

  friend Exact operator-(Exact a) {
    for (std::size_t i = 0; i < a.count_; ++i) a.parts_[i] = -a.parts_[i];
    return a;
  }
  friend Exact operator+(Exact a, const Exact& b) {
    for (std::size_t i = 0; i < b.count_; ++i) a.grow(b.parts_[i]);
    a.compress();
    return a;
  }
  friend Exact operator-(const Exact& a, const Exact& b) { return a + -b; }
  friend Exact operator*(const Exact& a, const Exact& b) {
    Exact sum;
    for (std::size_t i = 0; i < b.count_; ++i) sum = sum + a.scaled(b.parts_[i]);
    return sum;
  }

 private:
  /// The exact result of an operation is value + error.
  struct Rounded {
    double value;
    double error;
  };
  static Rounded two_sum(double a, double b) {
    const double sum = a + b;
    const double b_seen = sum - a;
    return {sum, (a - (sum - b_seen)) + (b - b_seen)};
  }
  /// Precondition: |a| >= |b|, or a is zero.
  static Rounded fast_two_sum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
  }
  static Rounded two_product(double a, double b) {
    const double product = a * b;
    return {product, std::fma(a, b, -product)};
  }

  void append(double part) {
    if (part != 0.0 && count_ < parts_.size()) parts_[count_++] = part;
  }

  /// Adds a double.
  void grow(double b) {
    const std::size_t before = count_;
    count_ = 0;
    for (std::size_t i = 0; i < before; ++i) {
      const Rounded sum = two_sum(b, parts_[i]);
      b = sum.value;
      append(sum.error);
    }
    append(b);
  }

  Exact scaled(double b) const {
    Exact out;
    if (count_ == 0) return out;
    Rounded sum = two_product(parts_[0], b);
    out.append(sum.error);
    for (std::size_t i = 1; i < count_; ++i) {
      const Rounded product = two_product(parts_[i], b);
      const Rounded low = two_sum(sum.value, product.error);
      out.append(low.error);
      sum = fast_two_sum(product.value, low.value);
      out.append(sum.error);
    }
    out.append(sum.value);
    out.compress();
    return out;
  }

  /// The same number in as few parts as possible.
  void compress() {
    if (count_ == 0) return;
    std::size_t bottom = count_ - 1;
    double rest = parts_[bottom];
    for (std::size_t i = count_ - 1; i-- > 0;) {
      const Rounded sum = fast_two_sum(rest, parts_[i]);
      rest = sum.value;
      if (sum.error == 0.0) continue;
      parts_[bottom--] = sum.value;
      rest = sum.error;
    }
    const std::size_t end = count_;
    count_ = 0;
    for (std::size_t i = bottom + 1; i < end; ++i) {
      const Rounded sum = fast_two_sum(parts_[i], rest);
      rest = sum.value;
      append(sum.error);
    }
    append(rest);
  }

  // Compressed parts differ by 2^52 or more, so the range of doubles holds 41 of them at most; a
  // sum or product of one part has twice as many before it is compressed.
  std::array<double, 96> parts_;
  std::size_t count_ = 0;
};

struct ExactVec3 {
  Exact x, y, z;

  ExactVec3(Exact along_x, Exact along_y, Exact along_z) : x(along_x), y(along_y), z(along_z) {}
  /// From `tail` to `head`.
  ExactVec3(const Vec3& head, const Vec3& tail)
      : x(Exact::difference(head.x(), tail.x())),
        y(Exact::difference(head.y(), tail.y())),
        z(Exact::difference(head.z(), tail.z())) {}

  ExactVec3 cross(const ExactVec3& o) const {
    return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x};
  }
  Exact dot(const ExactVec3& o) const { return x * o.x + y * o.y + z * o.z; }
  /// Of the product with the displacement (e, e^2, e^3).
  int sign_along_displacement() const {
    if (const int sign = x.sign(); sign != 0) return sign;
    if (const int sign = y.sign(); sign != 0) return sign;
    return z.sign();
  }
};

ExactVec3 normal_of(const FaceCorners& face) {
  return ExactVec3(face[1], face[0]).cross(ExactVec3(face[2], face[0]));
}

/// A double and how far the number it stands for may be from it.
struct Bounded {
  double value;
  double error;
};

Bounded volume(const Vec3& u, const Vec3& v, const Vec3& w) {
  using namespace orientation_detail;
  return {u.cross(v).dot(w), kRounding * cross_of_sizes(u, v).dot(w.cwiseAbs())};
}

Bounded product(const Bounded& a, const Bounded& b) {
  const double value = a.value * b.value;
  return {value, std::abs(a.value) * b.error + a.error * (std::abs(b.value) + b.error) +
                     orientation_detail::kRounding * std::abs(value)};
}

/// Sign of height_1 fall_2 - height_2 fall_1 where height is that of p above a face and fall how
/// much of it is lost on the way to q, both times twice the area of the face.
int compare_heights_by_falls(const Vec3& p, const Vec3& q, const FaceCorners& first,
                             const FaceCorners& second, Displaced displaced) {
  const Vec3 u_1 = first[1] - first[0], v_1 = first[2] - first[0];
  const Vec3 u_2 = second[1] - second[0], v_2 = second[2] - second[0];
  const Bounded left = product(volume(u_1, v_1, p - first[0]), volume(u_2, v_2, p - q));
  const Bounded right = product(volume(u_2, v_2, p - second[0]), volume(u_1, v_1, p - q));
  const double difference = left.value - right.value;
  if (std::abs(difference) > 2.0 * (left.error + right.error)) return difference > 0.0 ? 1 : -1;

  // Without rounding.
  const ExactVec3 n_1 = normal_of(first), n_2 = normal_of(second);
  const ExactVec3 back(p, q);
  const Exact fall_1 = n_1.dot(back), fall_2 = n_2.dot(back);
  const Exact height_1 = n_1.dot(ExactVec3(p, first[0]));
  const Exact height_2 = n_2.dot(ExactVec3(p, second[0]));
  if (const int sign = (height_1 * fall_2 - height_2 * fall_1).sign(); sign != 0) return sign;

  // By the displacement, which changes the heights and not the falls.
  const ExactVec3 slope(n_1.x * fall_2 - n_2.x * fall_1, n_1.y * fall_2 - n_2.y * fall_1,
                        n_1.z * fall_2 - n_2.z * fall_1);
  const int sign = slope.sign_along_displacement();
  return displaced == Displaced::edge ? sign : -sign;
}

}  // namespace

bool orientation_detail::exactly_above(const FaceCorners& face, const Vec3& p,
                                       Displaced displaced) {
  const ExactVec3 normal = normal_of(face);
  if (const int sign = normal.dot(ExactVec3(p, face[0])).sign(); sign != 0) return sign > 0;
  const int sign = normal.sign_along_displacement();
  return displaced == Displaced::edge ? sign > 0 : sign < 0;
}

bool orientation_detail::exactly_right_handed(const Vec3& p, const Vec3& q, const Vec3& u,
                                              const Vec3& v) {
  const ExactVec3 across = ExactVec3(q, p).cross(ExactVec3(v, u));
  if (const int sign = across.dot(ExactVec3(u, p)).sign(); sign != 0) return sign > 0;
  return across.sign_along_displacement() < 0;  // u - p loses the displacement
}

bool is_met_before(const Vec3& p, const Vec3& q, const FaceCorners& first,
                   const FaceCorners& second, Displaced displaced) {
  const int sign = compare_heights_by_falls(p, q, first, second, displaced);
  // Heights and falls of one face have the same sign; the displaced height decides both.
  const bool above_first = FacePlane(first).is_above(p, displaced);
  const bool above_second = FacePlane(second).is_above(p, displaced);
  return above_first == above_second ? sign < 0 : sign > 0;
}

}  // namespace grouser
