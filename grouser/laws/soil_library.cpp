#include "grouser/laws/soil_library.h"

#include <iterator>

#include "grouser/base/text.h"
#include "grouser/math/types.h"

namespace grouser {
namespace {

using enum LibrarySoil::Confidence;

constexpr double kDegree = kPi / 180.0;
constexpr const char* kWong = "Wong (2008) Table 2.3";

// What is special about a row; to be added up.
constexpr int kShear = 1;    // the shear modulus is assumed
constexpr int kDensity = 2;  // the density is assumed
constexpr int kReece = 4;    // the moduli are Reece's

struct Numbers {
  double k_c, k_phi, n;
  double cohesion;          // [Pa]
  double friction_degrees;  // internal
  double shear_modulus;     // [m]
  double density;           // [kg/m^3]
};
struct Row {
  const char* name;
  const char* meaning;
  Numbers numbers;
  const char* source;
  LibrarySoil::Confidence confidence;
  int flags;
  const char* remark = "";
};

// {k_c, k_phi, n, cohesion, friction angle, shear modulus, density}
// clang-format off
constexpr Row kRows[] = {
    {"dry-sand", "dry sand, Land Locomotion Laboratory",
     {990, 1528430, 1.10, 1040, 28.0, 0.020, 1600}, kWong, high, kShear},
    {"sandy-loam-15", "sandy loam, 15 % water, Land Locomotion Laboratory",
     {5270, 1515040, 0.70, 1720, 29.0, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"sandy-loam-22", "sandy loam, 22 % water, Land Locomotion Laboratory",
     {2560, 43120, 0.20, 1380, 38.0, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"michigan-sandy-loam-11", "sandy loam of Michigan, 11 % water, Strong and Buchele",
     {52530, 1127970, 0.90, 4830, 20.0, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"michigan-sandy-loam-23", "sandy loam of Michigan, 23 % water, Strong and Buchele",
     {11420, 808960, 0.40, 9650, 35.0, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"hanamoto-sandy-loam-26", "sandy loam, 26 % water, Hanamoto",
     {2790, 141110, 0.30, 13790, 22.0, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"hanamoto-sandy-loam-32", "sandy loam, 32 % water, Hanamoto",
     {770, 51910, 0.50, 5170, 11.0, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"thailand-clay-38", "clayey soil of Thailand, 38 % water",
     {13190, 692150, 0.50, 4140, 13.0, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"thailand-clay-55", "clayey soil of Thailand, 55 % water",
     {16030, 1262530, 0.70, 2070, 10.0, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"heavy-clay-25", "heavy clay, 25 % water, Waterways Experiment Station",
     {12700, 1555950, 0.13, 68950, 34.0, 0.006, 1600}, kWong, high, kDensity},
    {"heavy-clay-40", "heavy clay, 40 % water, Waterways Experiment Station",
     {1840, 103270, 0.11, 20690, 6.0, 0.030, 1600}, kWong, high, kShear | kDensity},
    {"lean-clay-22", "lean clay, 22 % water, Waterways Experiment Station",
     {16430, 1724690, 0.20, 68950, 20.0, 0.006, 1600}, kWong, high, kDensity},
    {"lean-clay-32", "lean clay, 32 % water, Waterways Experiment Station",
     {1520, 119610, 0.15, 13790, 11.0, 0.030, 1600}, kWong, high, kShear | kDensity},
    {"lete-sand", "LETE sand, Wong",
     {102000, 5301000, 0.79, 1300, 31.1, 0.012, 1600}, kWong, high, kDensity},
    {"upland-sandy-loam", "Upland sandy loam, 51 % water, Wong",
     {74600, 2080000, 1.10, 3300, 33.7, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"rubicon-sandy-loam", "Rubicon sandy loam, 43 % water, Wong",
     {6900, 752000, 0.66, 3700, 29.8, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"north-gower-clayey-loam", "North Gower clayey loam, 46 % water, Wong",
     {41600, 2471000, 0.73, 6100, 26.6, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"grenville-loam", "Grenville loam, 24 % water, Wong",
     {60, 5880000, 1.01, 3100, 29.8, 0.020, 1600}, kWong, high, kShear | kDensity},
    {"us-snow", "snow, USA",
     {4370, 196720, 1.60, 1030, 19.7, 0.030, 300}, kWong, high, kShear},
    {"harrison-snow", "snow, USA, Harrison",
     {2490, 245900, 1.60, 620, 23.2, 0.030, 300}, kWong, high, kShear | kDensity,
     "density of us-snow"},
    {"swedish-snow", "snow, Sweden",
     {10550, 66080, 1.44, 6000, 20.7, 0.030, 300}, kWong, high, kShear | kDensity,
     "density of us-snow"},
    {"lunar-nominal", "lunar ground as assumed for the Lunar Roving Vehicle",
     {1400, 820000, 1.00, 170, 35.0, 0.0178, 1590},
     "design values of Apollo; Heiken et al. (1991)", high, 0,
     "density: middle of 1520 to 1660"},
    {"fjs-1", "lunar simulant FJS-1",
     {1370, 820000, 1.00, 200, 38.0, 0.018, 1500},
     "roverdevkit, catalogue of simulants", medium, kShear},
    {"ishigami-simulant", "lunar simulant of Ishigami",
     {1370, 814000, 1.00, 800, 37.2, 0.036, 1600}, "Ishigami et al. (2007)", high, 0,
     "shear modulus at slip angle 0; the source adds 0.043 m per radian of slip angle"},
    {"kls-1", "lunar simulant KLS-1",
     {-44055.4, 3581810.6, 1.2594, 1716, 40.6, 0.018, 1600},
     "Lim (2021), pressed; Wang and Han (2016), sheared; by roverdevkit", medium, kShear,
     "k_c < 0: no resistance under patches narrower than 12 mm"},
    {"ding-simulant", "planetary simulant of Ding",
     {15600, 2407400, 1.10, 250, 31.9, 0.0114, 1605},
     "Ding et al. (2011) Table 2, by roverdevkit", medium, 0,
     "shear modulus: middle of 9.7 to 13.1 mm"},
    {"grc-1", "lunar simulant GRC-1",
     {700, 505000, 0.80, 250, 38.0, 0.018, 1620},
     "roverdevkit, a guess of its catalogue", low, kShear},
    {"grc-1-fit-a", "GRC-1, first fit to a simulated plate test",
     {-155000, 3660000, 1.29, 2044, 25.0, 0.0114, 1760},
     "sbel-reproducibility (2022) SCM_Vs_NASA_Exp", medium, 0,
     "k_c < 0: no resistance under patches narrower than 42 mm"},
    {"grc-1-fit-b", "GRC-1, second fit to a simulated plate test",
     {-202000, 2990000, 1.27, 1587, 21.0, 0.0184, 1760},
     "sbel-reproducibility (2022) SCM_Vs_NASA_Exp", medium, 0,
     "k_c < 0: no resistance under patches narrower than 68 mm"},
    {"dlr-mars-a", "Martian simulant A of DLR",
     {2370, 60300, 1.00, 188, 24.8, 0.020, 1600},
     "after Patel et al. (2010), not checked", low, kShear | kDensity},
    {"dlr-mars-b", "Martian simulant B of DLR",
     {18773, 763600, 0.63, 441, 17.8, 0.020, 1600},
     "after Patel et al. (2010), not checked", low, kShear | kDensity},
    {"dlr-mars-mechanical", "mechanical Martian simulant of DLR, a variant",
     {5790, 180000, 0.80, 300, 17.8, 0.010, 1600},
     "a public parameter file that names NASA", low, kShear | kDensity},
    {"mer-slope-soil", "slope soil at the site of Opportunity",
     {6800, 210000, 0.80, 500, 20.0, 0.020, 1600},
     "unattributed, not checked", low, kShear | kDensity},
    {"mer-sandy-loam", "sandy loam at the site of Opportunity",
     {28000, 7600000, 1.00, 4800, 20.0, 0.020, 1600},
     "unattributed, not checked", low, kShear | kDensity},
    {"mars-drift", "drift at the sites of Viking 1 and Pathfinder",
     {1400, 820000, 1.00, 220, 33.1, 0.020, 1600},
     "unattributed, not checked", low, kShear | kDensity,
     "moduli equal those of lunar-nominal"},
    {"mms", "Mojave Martian simulant under a wheel 0.16 m wide",
     {0, 3226400, 1.387, 139.28, 34.74, 0.000515, 1600}, "melanz/wheel-soil", medium, kDensity,
     "k_phi: the source has 254 kPa (z / 0.16 m)^n"},
    {"mars-soil-reece", "Martian soil simulant in Reece's form",
     {212.2, 677.5, 1.4, 600, 35.0, 0.0146, 1550},
     "mmbaxter484/Mars-Terrain-Simulator", low, kReece,
     "n at slip 0; the source adds 0.354 times the slip"},
    {"mars-sand-reece", "Martian dune sand simulant in Reece's form",
     {9.1, 500.8, 1.4, 200, 30.0, 0.029, 1650},
     "mmbaxter484/Mars-Terrain-Simulator", low, kReece,
     "n at slip 0; the source adds 0.45 times the slip"},
    {"cmu-sand", "sand of the testbed at Carnegie Mellon University",
     {0, 8000000, 1.46, 500, 29.0, 0.021, 1330}, "robomechanics/3d-terramechanics", high, 0,
     "cohesion: middle of 0 to 1000; shear modulus tuned by the source"},
    {"azimi-sand", "sand of Azimi",
     {0, 410000, 0.80, 234, 30.0, 0.013, 1600},
     "Azimi et al. (2013) Table III, by pyTerramechanics", medium, kDensity},
};
// clang-format on

SoilDef soil_of(const Row& row) {
  SoilDef soil;
  if (row.flags & kReece) soil.pressure = SoilDef::Pressure::reece;
  soil.k_c = row.numbers.k_c;
  soil.k_phi = row.numbers.k_phi;
  soil.n = row.numbers.n;
  soil.cohesion = row.numbers.cohesion;
  soil.friction_angle = row.numbers.friction_degrees * kDegree;
  soil.shear_modulus = row.numbers.shear_modulus;
  soil.density = row.numbers.density;
  return soil;
}

std::vector<std::string> assumed_of(const Row& row) {
  std::vector<std::string> out;
  if (row.flags & kShear) out.push_back("shear_modulus");
  if (row.flags & kDensity) out.push_back("density");
  return out;
}

std::vector<LibrarySoil> all_soils() {
  std::vector<LibrarySoil> out;
  out.reserve(std::size(kRows));
  for (const Row& row : kRows)
    out.push_back({row.name, row.meaning, soil_of(row), row.source, row.confidence, assumed_of(row),
                   row.remark});
  return out;
}

}  // namespace

const std::vector<LibrarySoil>& soil_library() {
  static const std::vector<LibrarySoil> soils = all_soils();
  return soils;
}

const LibrarySoil& library_soil(const std::string& name, const Place& place,
                                const std::string& key) {
  std::vector<std::string> names;
  for (const LibrarySoil& soil : soil_library()) {
    if (soil.name == name) return soil;
    names.push_back(soil.name);
  }
  throw InputError(place, key + ": there is no soil '" + name + "'" + suggestion(name, names));
}

char letter_of(LibrarySoil::Confidence confidence) {
  return "HML"[static_cast<int>(confidence)];
}

}  // namespace grouser
