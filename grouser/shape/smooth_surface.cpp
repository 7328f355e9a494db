#include "grouser/shape/smooth_surface.h"

namespace grouser {

GaussFrame gauss_frame(const SurfaceJet& jet, const Vec3& hint) {
  GaussFrame out;
  out.p = jet.p;
  out.n = jet.fu.cross(jet.fv).normalized();
  out.e1 = (hint - out.n * out.n.dot(hint)).normalized();
  out.e2 = out.n.cross(out.e1);
  out.B << out.e1.dot(jet.fu), out.e1.dot(jet.fv), out.e2.dot(jet.fu), out.e2.dot(jet.fv);
  Mat2 h;
  h << out.n.dot(jet.fuu), out.n.dot(jet.fuv), out.n.dot(jet.fuv), out.n.dot(jet.fvv);
  const Mat2 back = out.B.inverse();
  out.K = -back.transpose() * h * back;
  return out;
}

GaussFrame gauss_frame(const SurfaceJet& jet) {
  return gauss_frame(jet, jet.fu);
}

}  // namespace grouser
