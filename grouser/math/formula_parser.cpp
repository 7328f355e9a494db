// From the text of a formula to steps of the stack machine.
//
//   sum     = product { (+ | -) product }
//   product = signed { (* | /) signed }
//   signed  = (+ | -) signed | power
//   power   = atom [ ^ signed ]
//   atom    = number | name | function ( sum { , sum } ) | ( sum )
#include <charconv>
#include <cmath>
#include <numbers>

#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/math/formula_code.h"

namespace grouser {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Parser {
 public:
  Parser(std::string_view text, const std::array<std::string, 2>& variables)
      : text_(text), variables_(variables) {}

  std::vector<FormulaStep> compile() {
    sum();
    if (!at_end()) refuse("expected an operator (+ - * / ^) or the end");
    require_shallow_stack();
    return std::move(steps_);
  }

 private:
  // Reading.

  bool at_end() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string::npos)
      ++at_;
    return at_ == text_.size();
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  /// `what` was expected here.
  [[noreturn]] void refuse(const std::string& what) {
    if (at_end()) throw InputError("at the end of " + in_quotes(text_) + ": " + what);
    // Characters, not bytes: those of UTF-8 that continue one begin with the bits 10.
    int character = 1;
    for (const char c : text_.substr(0, at_))
      character += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
    throw InputError("at character " + std::to_string(character) + ", " +
                     in_quotes(text_.substr(at_)) + ": " + what);
  }

  /// Levels of the text within each other; they are levels of calls here.
  struct Level {
    explicit Level(Parser& in) : parser(in) {
      if (++parser.levels_ > kFormulaNesting)
        parser.refuse("parentheses, signs and powers are nested more than " +
                      std::to_string(kFormulaNesting) + " deep");
    }
    ~Level() { --parser.levels_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Parser& parser;
  };

  // The grammar. Each function writes the steps of what it reads.

  void sum() {
    const std::size_t left = steps_.size();
    product();
    while (true) {
      const bool plus = take('+');
      if (!plus && !take('-')) return;
      const std::size_t right = steps_.size();
      product();
      binary(plus ? FormulaCode::add : FormulaCode::subtract, left, right);
    }
  }

  void product() {
    const std::size_t left = steps_.size();
    signed_power();
    while (true) {
      const bool times = take('*');
      if (!times && !take('/')) return;
      const std::size_t right = steps_.size();
      signed_power();
      binary(times ? FormulaCode::multiply : FormulaCode::divide, left, right);
    }
  }

  void signed_power() {
    const Level level(*this);
    const bool minus = take('-');
    if (!minus && !take('+')) return power();
    const std::size_t operand = steps_.size();
    signed_power();
    if (minus) unary(FormulaCode::negate, operand);
  }

  void power() {
    const std::size_t left = steps_.size();
    atom();
    if (!take('^')) return;
    const std::size_t right = steps_.size();
    signed_power();
    binary(FormulaCode::power, left, right);
  }

  void atom() {
    if (take('(')) {
      sum();
      if (!take(')')) refuse("expected an operator (+ - * / ^) or ')'");
      return;
    }
    if (at_end()) refuse("expected a number, a name or '('");
    if (is_digit(text_[at_]) || text_[at_] == '.') return write(FormulaCode::number, number());
    if (is_letter(text_[at_])) return name();
    refuse("expected a number, a name or '('");
  }

  double number() {
    double out = 0.0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), out);
    if (error == std::errc::result_out_of_range) refuse("the number is too large or too small");
    if (error != std::errc()) refuse("expected a number");
    at_ += static_cast<std::size_t>(end - begin);
    return out;
  }

  void name() {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    for (const FormulaFunction& function : formula_functions())
      if (function.name == word) {
        at_ = end;
        return call(function);
      }
    if (word == variables_[0])
      write(FormulaCode::first);
    else if (word == variables_[1])
      write(FormulaCode::second);
    else if (word == "pi")
      write(FormulaCode::number, std::numbers::pi);
    else
      refuse_name(word);
    at_ = end;
  }

  [[noreturn]] void refuse_name(std::string_view word) {
    std::vector<std::string> known = {variables_[0], variables_[1], "pi"};
    for (const FormulaFunction& function : formula_functions()) known.emplace_back(function.name);
    // Letters that are alone are no misspelt functions.
    const std::string hint = word.size() > 1 ? nearest_name(word, known) : "";
    refuse("unknown name " + in_quotes(word) +
           (hint.empty() ? "; the variables are " + variables_[0] + " and " + variables_[1]
                         : "; did you mean '" + hint + "'?"));
  }

  void call(const FormulaFunction& function) {
    const std::string called(function.name);
    const std::string count = function.arguments == 1 ? "one argument" : "two arguments";
    if (!take('(')) refuse("expected '(' after " + called);
    const std::size_t left = steps_.size();
    std::size_t right = left;
    for (int i = 0; i < function.arguments; ++i) {
      if (i > 0 && !take(',')) refuse("expected ',': " + called + " has " + count);
      right = steps_.size();
      sum();
    }
    if (!take(')')) refuse("expected an operator (+ - * / ^) or ')': " + called + " has " + count);
    if (function.arguments == 1)
      unary(function.code, left);
    else
      binary(function.code, left, right);
  }

  // Writing. What is made of numbers alone is computed at once.

  void write(FormulaCode code, double number = 0.0) {
    if (steps_.size() >= static_cast<std::size_t>(kFormulaSteps))
      refuse("the formula has more than " + std::to_string(kFormulaSteps) + " steps");
    steps_.push_back({code, number});
  }

  bool is_number(std::size_t begin, std::size_t end) const {
    return end == begin + 1 && steps_[begin].code == FormulaCode::number;
  }

  /// Replaces the steps from `begin` on, which know no variable, by the number they give.
  void fold(std::size_t begin) {
    const double value = run_formula(std::span(steps_).subspan(begin), 0.0, 0.0).f;
    steps_.resize(begin + 1);
    steps_[begin] = {FormulaCode::number, value};
  }

  void unary(FormulaCode code, std::size_t operand) {
    const bool known = is_number(operand, steps_.size());
    write(code);
    if (known) fold(operand);
  }

  /// A function of what stands from `left` and from `right` on.
  void binary(FormulaCode code, std::size_t left, std::size_t right) {
    const bool left_known = is_number(left, right), right_known = is_number(right, steps_.size());
    if (left_known && right_known) {
      write(code);
      return fold(left);
    }
    const bool commutes = code == FormulaCode::add || code == FormulaCode::multiply;
    if (left_known && commutes) {
      const double number = steps_[left].number;
      steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(left));
      return with_number(code, number);
    }
    if (right_known && has_number_form(code)) {
      const double number = steps_.back().number;
      steps_.pop_back();
      return with_number(code, number);
    }
    write(code);
  }

  static bool has_number_form(FormulaCode code) {
    return code >= FormulaCode::add && code <= FormulaCode::power;
  }
  void with_number(FormulaCode code, double number) {
    switch (code) {
      case FormulaCode::add:
        return write(FormulaCode::add_number, number);
      case FormulaCode::subtract:
        return write(FormulaCode::add_number, -number);
      case FormulaCode::multiply:
        return write(FormulaCode::multiply_number, number);
      case FormulaCode::divide:
        return write(FormulaCode::divide_number, number);
      default:
        return write(
            number == std::round(number) ? FormulaCode::integer_power : FormulaCode::number_power,
            number);
    }
  }

  void require_shallow_stack() {
    int depth = 0;
    for (const FormulaStep& step : steps_) {
      depth += 1 - operands_of(step.code);
      if (depth > kFormulaStack)
        throw InputError("more than " + std::to_string(kFormulaStack) +
                         " numbers wait for each other in " + in_quotes(text_));
    }
  }

  std::string_view text_;
  const std::array<std::string, 2>& variables_;
  std::vector<FormulaStep> steps_;
  std::size_t at_ = 0;
  int levels_ = 0;
};

}  // namespace

std::vector<FormulaStep> compile_formula(std::string_view text,
                                         const std::array<std::string, 2>& variables) {
  return Parser(text, variables).compile();
}

}  // namespace grouser
