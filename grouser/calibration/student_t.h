// Student's t distribution: how wide an interval is that few measurements allow.
#pragma once

namespace grouser {

/// Probability that Student's t of `degrees` > 0 degrees of freedom is below `t`.
double student_t_probability(double t, double degrees);

/// The t below which a share `probability`, above 0 and below 1, lies. A 95 % interval reaches
/// student_t_quantile(0.975, n - p) standard errors to both sides.
double student_t_quantile(double probability, double degrees);

}  // namespace grouser
