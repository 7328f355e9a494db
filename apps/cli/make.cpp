// grouser make: wheels, surfaces, rocks and fields of rocks from parameters.
#include <filesystem>
#include <iostream>

#include "apps/cli/geometry_facts.h"
#include "apps/cli/parameter_pages.h"
#include "apps/cli/progress.h"
#include "apps/cli/run_report.h"
#include "apps/cli/text_table.h"
#include "apps/cli/verbs.h"
#include "grouser/assets/asset_cache.h"
#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/base/whole_file.h"
#include "grouser/map/elevation_file.h"
#include "grouser/mesh/mesh_file.h"
#include "grouser/scene/toml_reader.h"

namespace grouser::cli {
namespace {

namespace fs = std::filesystem;

struct MakeArguments {
  std::string kind;
  std::string preset;
  std::vector<std::string> set;
  std::string seed;
  std::string out;
  std::string each;
  double density = 2700.0;
  bool info = false;
  bool list = false;
  bool quiet = false;
};

// --- lists ------------------------------------------------------------------------------------

void list_kinds() {
  TextTable table({"kind", "meaning"});
  for (const AssetKind& kind : asset_kinds())
    table.add({std::string(kind.name), std::string(kind.meaning)});
  table.print(std::cout);
  std::cout << "\n'grouser make KIND --list' lists presets and parameters.\n";
}

void list_kind(const AssetKind& kind) {
  TextTable presets({"preset", "meaning"});
  for (const AssetPreset& preset : kind.presets()) presets.add({preset.name, preset.meaning});
  presets.print(std::cout);
  std::cout << '\n';
  for (const ParameterPage& part : kind.pages())
    print_page(std::cout, PageStyle::screen, part.table, part.meaning, part.keys);
}

// --- what is asked for ------------------------------------------------------------------------

const AssetKind& kind_named(const std::string& name) {
  if (const AssetKind* kind = find_asset_kind(name)) return *kind;
  std::vector<std::string> names;
  for (const AssetKind& kind : asset_kinds()) names.emplace_back(kind.name);
  throw InputError("grouser make: there is no kind '" + name + "'" + suggestion(name, names));
}

std::unique_ptr<Asset> asset_asked_for(const AssetKind& kind, const MakeArguments& arguments) {
  // The preset first, so that settings reach into its lists: layers.0.noise.slope=0.1.
  Value parameters;
  if (!arguments.preset.empty())
    parameters = asset_preset(kind, arguments.preset, {}, "--preset").parameters;
  apply_settings(parameters, arguments.set);
  if (!arguments.seed.empty())
    set_at_path(parameters, "seed", read_toml_value(arguments.seed, "--seed"));
  return read_asset(kind, parameters, std::string(kind.name), "");
}

// --- what is written --------------------------------------------------------------------------

bool knows(const std::vector<std::string>& suffixes, const std::string& path) {
  const std::string suffix = suffix_of(path);
  return std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end();
}

/// Throws before anything is made if the file cannot be of a format for this asset.
bool writes_map(const Asset& asset, const std::string& path) {
  if (knows(mesh_write_suffixes(), path)) return false;
  if (asset.has_map() && knows(elevation_file_suffixes(), path)) return true;
  std::string formats = join(mesh_write_suffixes());
  if (asset.has_map()) formats += "; as a map " + join(elevation_file_suffixes());
  throw InputError(path + ": what format is this? Known are, as a mesh, " + formats);
}

void print_identity(const Asset& asset) {
  print_field(std::cout, "id", asset.id());
  print_field(std::cout, "definition", asset.definition());
}

void print_written(const std::string& path, const MakeArguments& arguments) {
  if (!arguments.quiet) std::cout << path << " (" << file_size_text(path) << ")\n";
}

/// One file per rock, and a table and a piece of scene that say where they lie.
void write_each(const RockField& field, const Asset& asset, const MakeArguments& arguments,
                cli::Progress& progress) {
  const fs::path folder = arguments.each;
  std::string table =
      "name,file,diameter [m],burial,x [m],y [m],z [m],qw,qx,qy,qz,mass [kg],"
      "Ixx [kg m^2],Iyy [kg m^2],Izz [kg m^2],Ixy [kg m^2],Ixz [kg m^2],Iyz [kg m^2]\n";
  std::string scene = "# " + asset.definition() + "\n";
  for (std::size_t i = 0; i < field.rocks.size(); ++i) {
    const PlacedRock& rock = field.rocks[i];
    const std::string name = "rock_" + std::to_string(i + 1), file = name + ".obj";
    write_mesh_file(rock_mesh(field, i), (folder / file).string());

    const MassProperties mass = rock_mass(field, i, arguments.density);
    const Mat3& I = mass.inertia;
    const Eigen::Quaterniond q(rock.X_WR.R);
    const Vec3& p = rock.X_WR.p;
    table += name + "," + file;
    for (const double x : {rock.diameter, rock.burial, p.x(), p.y(), p.z(), q.w(), q.x(), q.y(),
                           q.z(), mass.mass, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)})
      table += "," + to_text(x);
    table += "\n";
    const auto numbers = [](std::initializer_list<double> xs) {
      return Value(Value::Array(xs.begin(), xs.end())).inline_text();
    };
    scene += "\n[[body]]\nname = \"" + name + "\"\ndensity = " + to_text(arguments.density) +
             "\nposition = " + numbers({p.x(), p.y(), p.z()}) +
             "\nquaternion = " + numbers({q.w(), q.x(), q.y(), q.z()}) +
             "\n\n[[shape]]\nname = \"" + name + "\"\nbody = \"" + name + "\"\nmesh.file = \"" +
             file + "\"\n";
    progress.reach(static_cast<double>(i + 1) / static_cast<double>(field.rocks.size()));
  }
  write_file((folder / "rocks.csv").string(), table);
  write_file((folder / "rocks.toml").string(), scene);
}

/// A folder with nothing in it, so that no rock of another field is taken for one of this.
void prepare_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw RunError(folder.string() + ": the folder cannot be made: " + error.message());
  if (!fs::is_empty(folder, error) || error)
    throw InputError("--each " + folder.string() + ": the folder is not empty");
}

ExitCode make_each(const Asset& asset, const MakeArguments& arguments, Progress::Style style) {
  prepare_folder(arguments.each);
  RockField field;
  {
    Progress progress(style);
    field = asset.make_rocks([&](double fraction) { progress.reach(fraction); });
  }
  {
    Progress progress(style);
    write_each(field, asset, arguments, progress);
  }
  if (!arguments.quiet)
    std::cout << arguments.each << ": " << counted(field.rocks.size(), "rock")
              << " with rocks.csv and rocks.toml\n";
  return kDone;
}

ExitCode make(const MakeArguments& arguments) {
  if (arguments.kind.empty()) {
    if (!arguments.list) throw InputError("grouser make: which kind? See 'grouser make --list'");
    list_kinds();
    return kDone;
  }
  const AssetKind& kind = kind_named(arguments.kind);
  if (arguments.list) {
    list_kind(kind);
    return kDone;
  }
  if (arguments.out.empty() && arguments.each.empty() && !arguments.info)
    throw InputError("grouser make: give a file to write (-o) or --info");
  const std::unique_ptr<Asset> asset = asset_asked_for(kind, arguments);
  if (!arguments.each.empty() && !asset->has_rocks())
    throw InputError("--each: " + arguments.kind + " is not a field of rocks");
  parameters_detail::check_number(arguments.density, {}, "--density", positive());
  const bool map = arguments.out.empty() ? asset->has_map() : writes_map(*asset, arguments.out);

  const auto style = arguments.quiet ? Progress::Style::none : Progress::style_of_stderr();
  const AssetCache cache = AssetCache::standard();
  if (arguments.info || !arguments.out.empty()) {
    Progress progress(style);
    const auto reach = [&](double fraction) { progress.reach(fraction); };
    if (map) {
      const ElevationGrid grid = cache.map(*asset, reach);
      progress.clear();
      if (arguments.info) print_identity(*asset);
      if (arguments.info) print_map_facts(std::cout, grid);
      if (!arguments.out.empty()) write_elevation_file(grid, arguments.out);
    } else {
      const TriangleMesh mesh = cache.mesh(*asset, reach);
      progress.clear();
      if (arguments.info) print_identity(*asset);
      if (arguments.info) print_mesh_facts(std::cout, mesh);
      if (!arguments.out.empty())
        write_mesh_file(mesh, arguments.out, std::vector{asset->definition()});
    }
  }
  if (!arguments.out.empty()) print_written(arguments.out, arguments);
  return arguments.each.empty() ? kDone : make_each(*asset, arguments, style);
}

}  // namespace

Action add_make(CLI::App& verb) {
  const auto a = std::make_shared<MakeArguments>();
  verb.add_option("kind", a->kind, "wheel, surface, rock or rocks");
  verb.add_option("--preset", a->preset, "Begin with a named set of parameters")->type_name("NAME");
  verb.add_option("--set", a->set, "Set a parameter, such as grouser_count=24")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--seed", a->seed, "The same as --set seed=N")->type_name("N");
  verb.add_option("-o,--out", a->out, "File to write; its suffix tells the format")
      ->type_name("FILE");
  verb.add_option("--each", a->each, "Folder for a field of rocks, one file per rock")
      ->type_name("FOLDER");
  verb.add_option("--density", a->density, "Of the rocks of --each, in kg/m^3")
      ->capture_default_str();
  verb.add_flag("--info", a->info, "Print ID, parameters, counts, area, volume and inertia");
  verb.add_flag("--list", a->list, "List the kinds, or the presets and parameters of a kind");
  verb.add_flag("-q,--quiet", a->quiet, "Print warnings and errors only");
  return [a] { return make(*a); };
}

}  // namespace grouser::cli
