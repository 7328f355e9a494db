// Linear systems with a positive semidefinite matrix: constraints that may repeat each other.
#pragma once

#include <cmath>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/math/types.h"

namespace grouser {

/// Cholesky factorisation with diagonal pivoting that stops where the rest is zero up to rounding.
/// solve() answers with zero in the coordinates that were left out, which solves consistent
/// systems.
class SemidefiniteSolver {
 public:
  void factor(const MatX& A) {
    const Eigen::Index n = A.rows();
    GROUSER_ASSERT(A.cols() == n);
    L_ = A;
    order_.resize(static_cast<std::size_t>(n));
    for (Eigen::Index i = 0; i < n; ++i) order_[static_cast<std::size_t>(i)] = i;
    const double smallest = n > 0 ? 1e-11 * A.diagonal().maxCoeff() : 0.0;
    for (rank_ = 0; rank_ < n; ++rank_) {
      Eigen::Index pivot = 0;
      const double largest = L_.diagonal().tail(n - rank_).maxCoeff(&pivot);
      if (!(largest > smallest)) break;
      exchange(rank_, rank_ + pivot);
      const double root = std::sqrt(largest);
      L_(rank_, rank_) = root;
      const Eigen::Index rest = n - rank_ - 1;
      L_.col(rank_).tail(rest) /= root;
      for (Eigen::Index j = 0; j < rest; ++j)
        L_.col(rank_ + 1 + j).tail(rest - j) -=
            L_(rank_ + 1 + j, rank_) * L_.col(rank_).tail(rest - j);
    }
  }

  Eigen::Index rank() const { return rank_; }

  /// x <- A^+ x.
  void solve(VecX& x) {
    GROUSER_ASSERT(x.size() == L_.rows());
    y_.resize(rank_);
    for (Eigen::Index i = 0; i < rank_; ++i) y_[i] = x[order_[static_cast<std::size_t>(i)]];
    const auto L = L_.topLeftCorner(rank_, rank_).triangularView<Eigen::Lower>();
    L.solveInPlace(y_);
    L.transpose().solveInPlace(y_);
    x.setZero();
    for (Eigen::Index i = 0; i < rank_; ++i) x[order_[static_cast<std::size_t>(i)]] = y_[i];
  }

 private:
  /// Exchanges rows and columns i < j of the part that is still a matrix (lower triangle only).
  void exchange(Eigen::Index i, Eigen::Index j) {
    if (i == j) return;
    const Eigen::Index n = L_.rows();
    std::swap(order_[static_cast<std::size_t>(i)], order_[static_cast<std::size_t>(j)]);
    L_.row(i).head(i).swap(L_.row(j).head(i));
    for (Eigen::Index k = i + 1; k < j; ++k) std::swap(L_(k, i), L_(j, k));
    std::swap(L_(i, i), L_(j, j));
    L_.col(i).tail(n - j - 1).swap(L_.col(j).tail(n - j - 1));
  }

  MatX L_;
  std::vector<Eigen::Index> order_;
  VecX y_;
  Eigen::Index rank_ = 0;
};

}  // namespace grouser
