#include "grouser/math/formula.h"

#include <utility>

#include "grouser/base/assert.h"
#include "grouser/math/formula_code.h"

namespace grouser {
namespace {

constexpr FormulaFunction kFunctions[] = {
    {"sin", FormulaCode::sin, 1},   {"cos", FormulaCode::cos, 1},
    {"tan", FormulaCode::tan, 1},   {"asin", FormulaCode::asin, 1},
    {"acos", FormulaCode::acos, 1}, {"atan", FormulaCode::atan, 1},
    {"sinh", FormulaCode::sinh, 1}, {"cosh", FormulaCode::cosh, 1},
    {"tanh", FormulaCode::tanh, 1}, {"exp", FormulaCode::exp, 1},
    {"log", FormulaCode::log, 1},   {"sqrt", FormulaCode::sqrt, 1},
    {"abs", FormulaCode::abs, 1},   {"atan2", FormulaCode::atan2, 2},
    {"min", FormulaCode::min, 2},   {"max", FormulaCode::max, 2},
};

}  // namespace

std::span<const FormulaFunction> formula_functions() {
  return kFunctions;
}

int operands_of(FormulaCode code) {
  switch (code) {
    case FormulaCode::number:
    case FormulaCode::first:
    case FormulaCode::second:
      return 0;
    case FormulaCode::add:
    case FormulaCode::subtract:
    case FormulaCode::multiply:
    case FormulaCode::divide:
    case FormulaCode::power:
    case FormulaCode::atan2:
    case FormulaCode::min:
    case FormulaCode::max:
      return 2;
    default:
      return 1;
  }
}

Jet run_formula(std::span<const FormulaStep> steps, double u, double v) {
  std::array<Jet, kFormulaStack + 1> stack;  // the lowest is never used
  Jet* top = stack.data();
  // A function of two takes the upper entry away and replaces the one below it.
  const auto binary = [&](auto&& function) {
    --top;
    *top = function(top[0], top[1]);
  };
  for (const FormulaStep& step : steps) {
    GROUSER_ASSERT(top - stack.data() >= operands_of(step.code));
    GROUSER_ASSERT(operands_of(step.code) > 0 || top - stack.data() < kFormulaStack);
    switch (step.code) {
      case FormulaCode::number:
        *++top = Jet::constant(step.number);
        break;
      case FormulaCode::first:
        *++top = {u, 1.0, 0.0, 0.0, 0.0, 0.0};
        break;
      case FormulaCode::second:
        *++top = {v, 0.0, 1.0, 0.0, 0.0, 0.0};
        break;
      case FormulaCode::negate:
        *top = -*top;
        break;
      case FormulaCode::add:
        binary([](const Jet& a, const Jet& b) { return a + b; });
        break;
      case FormulaCode::subtract:
        binary([](const Jet& a, const Jet& b) { return a - b; });
        break;
      case FormulaCode::multiply:
        binary([](const Jet& a, const Jet& b) { return a * b; });
        break;
      case FormulaCode::divide:
        binary([](const Jet& a, const Jet& b) { return a / b; });
        break;
      case FormulaCode::power:
        binary([](const Jet& a, const Jet& b) { return power(a, b); });
        break;
      case FormulaCode::add_number:
        top->f += step.number;
        break;
      case FormulaCode::multiply_number:
        *top = *top * step.number;
        break;
      case FormulaCode::divide_number:
        *top = *top / step.number;
        break;
      case FormulaCode::integer_power:
        *top = integer_power(*top, step.number);
        break;
      case FormulaCode::number_power:
        *top = number_power(*top, step.number);
        break;
      case FormulaCode::sin:
        *top = sin(*top);
        break;
      case FormulaCode::cos:
        *top = cos(*top);
        break;
      case FormulaCode::tan:
        *top = tan(*top);
        break;
      case FormulaCode::asin:
        *top = asin(*top);
        break;
      case FormulaCode::acos:
        *top = acos(*top);
        break;
      case FormulaCode::atan:
        *top = atan(*top);
        break;
      case FormulaCode::atan2:
        binary([](const Jet& a, const Jet& b) { return atan2(a, b); });
        break;
      case FormulaCode::sinh:
        *top = sinh(*top);
        break;
      case FormulaCode::cosh:
        *top = cosh(*top);
        break;
      case FormulaCode::tanh:
        *top = tanh(*top);
        break;
      case FormulaCode::exp:
        *top = exp(*top);
        break;
      case FormulaCode::log:
        *top = log(*top);
        break;
      case FormulaCode::sqrt:
        *top = sqrt(*top);
        break;
      case FormulaCode::abs:
        *top = abs(*top);
        break;
      case FormulaCode::min:
        binary([](const Jet& a, const Jet& b) { return min(a, b); });
        break;
      case FormulaCode::max:
        binary([](const Jet& a, const Jet& b) { return max(a, b); });
        break;
    }
  }
  GROUSER_ASSERT(top == stack.data() + 1);
  return *top;
}

Formula::Formula(std::string text, const std::array<std::string, 2>& variables)
    : text_(std::move(text)), steps_(compile_formula(text_, variables)) {}

Jet Formula::at(double u, double v) const {
  return run_formula(steps_, u, v);
}

bool Formula::is_variable(int which) const {
  GROUSER_ASSERT(which == 0 || which == 1);
  const FormulaCode wanted = which == 0 ? FormulaCode::first : FormulaCode::second;
  return steps_.size() == 1 && steps_.front().code == wanted;
}

}  // namespace grouser
