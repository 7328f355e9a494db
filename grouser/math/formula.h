// Formulas of two variables, as users write them: `0.2*u^2 + sin(3*v)`.
//
// Numbers, + - * / ^ ( ), pi, and the functions sin cos tan asin acos atan atan2 sinh cosh tanh exp
// log (natural) sqrt abs min max. Powers go from the right, 2^3^2 = 2^9, and before the sign,
// -x^2 = -(x^2). A product needs its `*`.
//
// The text becomes steps of a stack machine, once; evaluating them gives the value and all
// derivatives up to the second, exactly, without allocating.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "grouser/math/jet.h"

namespace grouser {

enum class FormulaCode : unsigned char;

/// What the machine does next.
struct FormulaStep {
  FormulaCode code;
  double number = 0.0;  ///< of a step that has one
};

class Formula {
 public:
  /// Throws InputError that says at which character of the text what was expected; the caller puts
  /// key and place before it.
  Formula(std::string text, const std::array<std::string, 2>& variables);

  /// By the first variable (u) and the second (v). Where the formula or a derivative does not exist
  /// (sqrt at 0, log of a negative number, a division by 0) the jet is not finite. At the kinks of
  /// abs, min and max the derivatives are those of one side.
  Jet at(double u, double v) const;

  /// The formula is the first (0) or the second (1) variable and nothing else.
  bool is_variable(int which) const;

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<FormulaStep> steps_;
};

}  // namespace grouser
