#include "grouser/assets/wheel.h"

namespace grouser {

namespace {

constexpr double kDegree = kPi / 180.0;
constexpr double kMillimetre = 1e-3;

/// What every wheel here is: given by its diameter, with a thin rim on a disc.
WheelDef rimmed(double diameter, double width, double rim_thickness) {
  WheelDef wheel;
  wheel.radius = diameter / 2.0;
  wheel.width = width;
  wheel.rim_thickness = rim_thickness;
  return wheel;
}

struct Grousers {
  int count;
  double height;
  double thickness;
  GrouserShape shape = GrouserShape::straight;
  double angle = 0.0;
};
WheelDef with(WheelDef wheel, const Grousers& grousers) {
  wheel.grouser_count = grousers.count;
  wheel.grouser_height = grousers.height;
  wheel.grouser_thickness = grousers.thickness;
  wheel.grouser_shape = grousers.shape;
  wheel.grouser_angle = grousers.angle;
  return wheel;
}
WheelDef with_crown(WheelDef wheel, double crown) {
  wheel.crown = crown;
  return wheel;
}
WheelDef with_spokes(WheelDef wheel, int count) {
  wheel.body = WheelBody::spokes;
  wheel.spoke_count = count;
  return wheel;
}

WheelDef scout() {
  WheelDef wheel;
  wheel.radius = 0.2;
  wheel.width = 57.0 * kMillimetre;
  wheel.body = WheelBody::feet;
  wheel.foot_count = 3;
  wheel.foot_length = 59.5 * kMillimetre;
  wheel.foot_height = 30.0 * kMillimetre;
  wheel.foot_chamfer = 5.0 * kMillimetre;
  wheel.hub_radius = 0.03;
  wheel.spoke_width = 20.0 * kMillimetre;
  wheel.spoke_depth = 20.0 * kMillimetre;
  wheel.longest_edge = 12.0 * kMillimetre;
  return wheel;
}

std::vector<WheelPreset> all_presets() {
  constexpr double mm = kMillimetre;
  constexpr auto chevron = GrouserShape::chevron;
  return {
      {"sojourner",
       "Mars Pathfinder's rover, 0.13 x 0.08 m (fair). It has cleats and studs; 24 straight "
       "grousers of 6 mm stand for them (a guess)",
       with(rimmed(0.13, 0.08, 1.5 * mm), {24, 6 * mm, 1.5 * mm})},
      {"mer",
       "Spirit and Opportunity, 0.25 x 0.16 m without paddles (certain), convex. 30 paddles of "
       "5 mm and the crown of 15 mm are guesses",
       with_spokes(with(with_crown(rimmed(0.25, 0.16, 3 * mm), 15 * mm), {30, 5 * mm, 3 * mm}), 5)},
      {"msl",
       "Curiosity, 0.50 x 0.40 m and 24 chevrons of 7 mm (certain). Their angle of 20 degrees and "
       "thickness of 6 mm, the crown and the body are guesses",
       with_spokes(with(with_crown(rimmed(0.50, 0.40, 5 * mm), 12 * mm),
                        {24, 7 * mm, 6 * mm, chevron, 20 * kDegree}),
                   6)},
      {"m2020",
       "Perseverance, 0.525 x 0.33 m and 48 nearly straight grousers (fair). Their height of 7 mm, "
       "thickness of 6 mm, the crown and the body are guesses",
       with_spokes(with(with_crown(rimmed(0.525, 0.33, 5 * mm), 10 * mm), {48, 7 * mm, 6 * mm}),
                   6)},
      {"exomars",
       "Rosalind Franklin, 0.285 x 0.12 m and 12 grousers (fair), here rigid; the real one is "
       "flexible. Their height of 10 mm is a guess",
       with(rimmed(0.285, 0.12, 2 * mm), {12, 10 * mm, 3 * mm})},
      {"zhurong", "0.30 x 0.20 m and 20 grousers (all uncertain); their height of 10 mm is a guess",
       with(rimmed(0.30, 0.20, 2 * mm), {20, 10 * mm, 3 * mm})},
      {"lunokhod",
       "0.51 x 0.20 m (certain). The real rim is a mesh of wire with cleats on three bands; 24 "
       "cleats of 10 mm on a closed rim stand for them (a guess)",
       with_spokes(with(rimmed(0.51, 0.20, 3 * mm), {24, 10 * mm, 4 * mm}), 10)},
      {"lrv",
       "Apollo's roving vehicle, 0.818 x 0.229 m (certain). The real tyre is a mesh of wire with "
       "chevrons over half of its area; 48 chevrons of 1.6 mm on a crowned closed rim stand for "
       "it (a guess)",
       with(with_crown(rimmed(0.818, 0.229, 10 * mm), 30 * mm),
            {48, 1.6 * mm, 20 * mm, chevron, 35 * kDegree})},
      {"yutu-2", "0.30 x 0.15 m and 24 grousers (fair); their height of 10 mm is a guess",
       with_spokes(with(rimmed(0.30, 0.15, 2 * mm), {24, 10 * mm, 2 * mm}), 6)},
      {"pragyan",
       "Chandrayaan-3's rover, 0.17 x 0.07 m (uncertain); 20 grousers of 5 mm are a guess",
       with(rimmed(0.17, 0.07, 2 * mm), {20, 5 * mm, 2 * mm})},
      {"viper",
       "0.45 x 0.20 m without grousers, 24 of them, 25 mm high (fair); their thickness of 3 mm is "
       "a guess",
       with(rimmed(0.45, 0.20, 3 * mm), {24, 25 * mm, 3 * mm})},
      {"rashid",
       "0.20 x 0.08 m, 14 grousers of 15 mm (certain), outside of the diameter; their thickness of "
       "1.5 mm is a guess",
       with(rimmed(0.20, 0.08, 2 * mm), {14, 15 * mm, 1.5 * mm})},
      {"mmx", "Idefix on Phobos, 0.2 x 0.05 m (uncertain); 24 grousers of 8 mm are a guess",
       with_spokes(with(rimmed(0.20, 0.05, 2 * mm), {24, 8 * mm, 1.5 * mm}), 6)},
      {"scout",
       "DLR's rimless wheel with three feet of 59.5 x 57 x 30 mm, of about 570 triangles each "
       "(certain); radius 0.2 m, chamfer, legs and hub are guesses",
       scout()},
      {"cmu-k10-mini",
       "single-wheel rig, 0.125 x 0.06 m, 24 grousers of 5 mm (certain); their thickness of 1.5 mm "
       "is a guess",
       with(rimmed(0.125, 0.06, 2 * mm), {24, 5 * mm, 1.5 * mm})},
  };
}

}  // namespace

const std::vector<WheelPreset>& wheel_presets() {
  static const std::vector<WheelPreset> presets = all_presets();
  return presets;
}

}  // namespace grouser
