// The stack machine of formulas: what its steps are, and how they are run and written.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grouser/math/formula.h"

namespace grouser {

enum class FormulaCode : unsigned char {
  number,  // onto the stack
  first,   // the first variable
  second,
  negate,  // the rest replaces one or two entries of the stack by one
  add,
  subtract,
  multiply,
  divide,
  power,
  add_number,
  multiply_number,
  divide_number,
  integer_power,
  number_power,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  min,
  max,
};

/// A function by its name.
struct FormulaFunction {
  std::string_view name;
  FormulaCode code;
  int arguments;
};
std::span<const FormulaFunction> formula_functions();

/// How many entries a step takes from the stack; it leaves one.
int operands_of(FormulaCode code);

// Formulas that ask for more are refused.
inline constexpr int kFormulaStack = 32;     ///< numbers that wait for each other
inline constexpr int kFormulaNesting = 100;  ///< parentheses, signs and powers within each other
inline constexpr int kFormulaSteps = 2000;

/// Precondition: the stack is never deeper than kFormulaStack, and one entry remains.
Jet run_formula(std::span<const FormulaStep> steps, double u, double v);

/// The steps of a text; throws InputError.
std::vector<FormulaStep> compile_formula(std::string_view text,
                                         const std::array<std::string, 2>& variables);

}  // namespace grouser
