// Powers and exponentials of many numbers at once, four side by side.
//
// Soil asks for a power and an exponential per grid node. The standard library answers one at a
// time; these take less than half of its time with what every 64-bit processor has, are right to a
// few units of the last digit, and give the same bits for a number wherever it stands in the array.
#pragma once

#include <span>

namespace grouser {

/// out[i] = x[i]^n. Relative error below 1e-13 (found: 2e-15); x^1 = x, 0^n = 0 and 1^n = 1 are
/// exact. Negative x count as 0, and so do denormal ones unless n = 1. Results below 2^-1022.5 are
/// 0, above 2^1023.5 infinite. NaN gives NaN, infinity gives itself for n = 1 and NaN else.
/// Preconditions: 0 < n <= 3; both spans are of one size; out is x itself or apart from it.
void powers(std::span<const double> x, double n, std::span<double> out);

/// out[i] = exp(x[i]). Relative error below 1e-13 (found: 2e-15); exp(0) = 1 is exact. Results
/// below 2^-1022.5 are 0; NaN gives NaN. Preconditions: x[i] <= 0; both spans are of one size; out
/// is x itself or apart from it.
void exponentials(std::span<const double> x, std::span<double> out);

}  // namespace grouser
