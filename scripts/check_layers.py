#!/usr/bin/env python3
"""Checks the #include lines of the tree against the table of rooms in docs/architecture.md.

The table says which room may know which and at which room a library comes in. It is checked both
ways: an include that it does not allow is a fault, and so is an allowance that nobody uses. Examples
may only include what grouser/grouser.h does. Besides, files may not include each other in rings of
more than three, no room may grow beyond 9,000 lines, and no two types of the library may have one
name: without optimisation the linker keeps one of them.

Usage: scripts/check_layers.py [DIRECTORY | --self-test | --graph | --lines]
  DIRECTORY    a tree to check; default: this repository
  --self-test  makes a tree with faults and checks that exactly those are found
  --graph      prints which room includes which, and the rings of files
  --lines      prints the lines of every room
"""

import pathlib
import re
import sys
import tempfile

MOST_IN_A_RING = 3
MOST_LINES = 9000

# Library: header as included, files that may include it. Tests and benchmarks may include any.
DOORS = {
    "assimp": (r"assimp/", r"grouser/mesh/mesh_gltf\w*\.cpp"),
    "GDAL": (r"(gdal|ogr|cpl_)", r"grouser/map/elevation_gdal\w*\.cpp"),
    "toml++": (r"toml(\+\+/|\.hpp$)", r"grouser/scene/toml_reader\.cpp"),
    "Ceres": (r"(ceres|glog)/", r"grouser/calibration/ceres_solver\.cpp"),
    "HDF5": (r"(hdf5(_hl)?\.h|H5\w*\.h)", r"grouser/record/recording_\w*\.(h|cpp)"),
    "MuJoCo": (r"mujoco/", r"grouser/mechanism/mujoco_(\w+\.cpp|handles\.h)"),
    "urdfdom": (r"(urdf_|console_bridge)", r"grouser/mechanism/urdf_\w*\.cpp"),
    "SUNDIALS": (r"(sun[a-z]*|cvodes?|arkode|nvector)/", r"grouser/run/sundials_\w*\.cpp"),
    "zlib": (r"zlib\.h$", r"grouser/report/page_data\.cpp"),
    "cpp-httplib": (r"httplib\.h$", r"grouser/report/live_server\.cpp"),
    "nlohmann-json": (r"nlohmann/", r"grouser/report/\w+\.(h|cpp)"),
    "CLI11": (r"CLI/", r"apps/cli/\w+\.(h|cpp)"),
    "Eigen": (r"(Eigen|unsupported)/", r"grouser/(?!base/)\w+/\w+\.(h|cpp)"),
}
FREE = ("tests", "benchmarks")  # may include anything
FRONT = "grouser/grouser.h"  # names the headers that users may include
SOURCES = (".h", ".hpp", ".c", ".cpp", ".h.in", ".cpp.in")
NAMESPACE = re.compile(r"namespace ?([\w:]*) ?\{")
TYPE = re.compile(r"(?:template <.*> )?(?:struct|class|enum class) (\w+)(?![\w:<;])[^;]*$")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def read_table(tree):
    """Rooms in order: what they may know, and which libraries come in there."""
    knows, libraries = {}, {}
    text = (tree / "docs/architecture.md").read_text()
    for line in text[text.index("| folder |"):].split("\n\n")[0].splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        room = re.fullmatch(r"`([\w/]+)`", cells[0])
        if len(cells) != 4 or not room:
            continue
        words = re.split(r",\s*", re.sub(r"\(.*?\)", "", cells[2]))
        knows[room[1]] = [word.strip() for word in words if word.strip() not in ("", "–")]
        libraries[room[1]] = [name for name in DOORS if re.search(re.escape(name), cells[3])]
    return knows, libraries


def sources(tree):
    for top in ("grouser", "hosts", "apps", "examples", *FREE):
        for path in sorted((tree / top).rglob("*")):
            if path.name.endswith(SOURCES):
                yield path.relative_to(tree).as_posix()


def includes(tree, name):
    for number, line in enumerate((tree / name).read_text().splitlines(), 1):
        if found := INCLUDE.match(line):
            yield number, found[1] == '"', found[2]


def room_of(name, knows):
    parts = name.split("/")
    return next((room for room in ("/".join(parts[:2]), parts[0]) if room in knows), None)


def faults(tree):
    """One line per fault of the tree."""
    out = []
    knows, libraries = read_table(tree)
    rooms = [room.removeprefix("grouser/") for room in knows if room.startswith("grouser/")]
    used = {room: set() for room in knows}
    opened = set()
    edges = {}
    promised = {FRONT}
    if (tree / FRONT).exists():
        promised |= {header for _, _, header in includes(tree, FRONT)}

    for name in sources(tree):
        here = room_of(name, knows)
        free = name.split("/")[0] in FREE or name == FRONT
        for number, quoted, header in includes(tree, name):
            def fault(rule):
                out.append(f"{name}:{number}: {header}: {rule}")
            if free:
                continue
            if here is None:
                fault("this file lies in no room of the table")
                continue
            library = next((lib for lib, door in DOORS.items() if re.match(door[0], header)), None)
            if library:
                if not re.fullmatch(DOORS[library][1], name):
                    fault(f"{library} may not come in here")
                elif library not in libraries[here] and library != "Eigen":
                    fault(f"the table does not say that {library} comes in at {here}")
                else:
                    opened.add((here, library))
                continue
            if "../" in header:
                fault("write the path from the root, without ..")
            elif here == "examples" and header.startswith("grouser/") and header not in promised:
                fault(f"{FRONT} does not promise this header")
            elif header.startswith("grouser/"):
                edges.setdefault(stem(name), set()).add(stem(header))
                there = header.split("/")[1]
                if f"grouser/{there}" == here or header.count("/") == 1:
                    continue
                used[here].add(there)
                if there not in knows[here] and knows[here] != ["all"]:
                    fault(f"{here} may know: {', '.join(knows[here]) or 'no other room'}")
            elif header.split("/")[0] in ("apps", "hosts", "tests", "benchmarks", "examples"):
                if not header.startswith(here.split("/")[0] + "/") or here == "examples":
                    fault(f"{here} may know only the rooms below grouser/")
            elif quoted and here.startswith("grouser/"):
                fault("write the path from the root: grouser/<room>/...")

    for room, others in knows.items():
        if room.split("/")[0] not in FREE and others != ["all"]:
            out += [f"docs/architecture.md: {room} may know {other}, and does not"
                    for other in others if other not in used[room] and other in rooms]
            out += [f"docs/architecture.md: {room} may know {other}, which is no room"
                    for other in others if other not in rooms and " " not in other]
        out += [f"docs/architecture.md: {library} comes in at {room}, and nobody there uses it"
                for library in libraries[room]
                if (room, library) not in opened and room.split("/")[0] not in FREE]
    for folder in sorted((tree / "grouser").iterdir()):
        if folder.is_dir() and f"grouser/{folder.name}" not in knows:
            out.append(f"docs/architecture.md: grouser/{folder.name} is not in the table")
    out += ["ring of files that include each other: " + ", ".join(ring)
            for ring in rings(edges) if len(ring) > MOST_IN_A_RING]
    out += [f"{name} is defined twice: {', '.join(where)}" for name, where in twins(tree).items()]
    out += [f"grouser/{room} has {lines} lines, at most {MOST_LINES} are wanted"
            for room, lines in room_lines(tree).items() if lines > MOST_LINES]
    return out


def twins(tree):
    """Names of types that are defined twice, with their places; what has no linkage may."""
    places = {}
    for name in sources(tree):
        if name.split("/")[0] not in ("grouser", "hosts"):
            continue
        spaces, end = [], "}  // namespace"
        for number, line in enumerate((tree / name).read_text().splitlines(), 1):
            if found := NAMESPACE.match(line):
                spaces.append(found[1])
            elif line.startswith(end) and spaces:
                spaces.pop()
            elif (found := TYPE.match(line)) and "" not in spaces:
                places.setdefault("::".join((*spaces, found[1])), []).append(f"{name}:{number}")
    return {name: where for name, where in places.items() if len(where) > 1}


def stem(name):
    return re.sub(r"\.(h|cpp)(\.in)?$", "", name)


def rings(edges):
    """Groups of files that include each other, a header and its source counting as one (Tarjan)."""
    index, low, stack, out = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                out.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return sorted(out, key=len, reverse=True)


def room_lines(tree):
    return {folder.name: sum(len(path.read_text().splitlines())
                             for path in folder.iterdir() if path.suffix in (".h", ".cpp"))
            for folder in sorted((tree / "grouser").iterdir()) if folder.is_dir()}


def print_graph(tree):
    knows, _ = read_table(tree)
    used, edges = {}, {}
    for name in sources(tree):
        here = room_of(name, knows)
        for _, _, header in includes(tree, name):
            if header.startswith("grouser/") and header.count("/") > 1:
                if here not in (None, *FREE):
                    edges.setdefault(stem(name), set()).add(stem(header))
                if f"grouser/{header.split('/')[1]}" != here:
                    used.setdefault(here, set()).add(header.split("/")[1])
    for room in knows:
        print(f"{room:22} {', '.join(sorted(used.get(room, ())))}")
    for ring in rings(edges):
        print(f"ring of {len(ring)}: {', '.join(ring)}")


def self_test():
    """A line that ends in ! is a fault."""
    files = {
        "docs/architecture.md": [
            "| folder | what | may know | libraries |",
            "| `grouser/base` | errors | – | – |",
            "| `grouser/math` | poses | base | Eigen |",
            "| `grouser/mesh` | meshes | base, math | assimp |",
            "| `grouser/laws` | laws | base, math, mesh | – |",  # does not know mesh: a fault
            "| `grouser/scene` | scenes | base | toml++ |",  # no toml++ used: a fault
            "| `apps/cli` | command | all | CLI11 |",
            "| `examples` | programs | base, math, mesh | – |",
            "| `tests` | tests | all | – |"],
        "grouser/base/error.h": ["#include <string>", '#include "grouser/base/text.h"',
                                 '#include "grouser/math/types.h"!', "#include <Eigen/Core>!"],
        "grouser/math/types.h": ["#include <Eigen/Core>", '#include "grouser/base/error.h"',
                                 "  #  include <grouser/mesh/triangle_mesh.h>!",
                                 '// #include "grouser/scene/scene.h"'],
        "grouser/mesh/triangle_mesh.h": ['#include "grouser/math/types.h"',
                                         '#include "grouser/laws/penalty.h"!',
                                         "#include <assimp/scene.h>!",
                                         '#include "../laws/friction.h"!',
                                         '#include "triangle_tree.h"!'],
        "grouser/mesh/mesh_gltf.cpp": ["#include <assimp/scene.h>", "#include <toml++/toml.h>!",
                                       '#include "grouser/base/error.h"'],
        "grouser/laws/friction.cpp": ['#include "grouser/base/error.h"',
                                      '#include "grouser/math/types.h"'],
        "grouser/scene/scene.cpp": ['#include "grouser/base/error.h"', "#include <hdf5.h>!",
                                    "namespace grouser {", "namespace {", "struct Inner {};",
                                    "}  // namespace", "struct Touch {", "};",
                                    "}  // namespace grouser"],
        "grouser/scene/other.cpp": ["namespace grouser {", "namespace {", "struct Inner {};",
                                    "}  // namespace", "struct Touch {", "};", "struct Far;",
                                    "struct Far::Near {", "};"],
        "grouser/grouser.h": ['#include "grouser/base/error.h"', '#include "grouser/math/types.h"',
                              '#include "grouser/mesh/triangle_mesh.h"'],
        "grouser/base/a.h": ['#include "grouser/base/b.h"'],
        "grouser/base/b.h": ['#include "grouser/base/c.h"'],
        "grouser/base/c.h": ['#include "grouser/base/d.h"'],
        "grouser/base/d.h": ['#include "grouser/base/a.h"'],  # a ring of four
        "grouser/viewer/page.cpp": ["#include <string>!"],
        "apps/cli/main.cpp": ["#include <CLI/CLI.hpp>", '#include "apps/cli/run.h"',
                              '#include "grouser/scene/scene.h"', "#include <mujoco/mujoco.h>!"],
        "examples/consumer/main.cpp": ["#include <grouser/math/types.h>",
                                       "#include <grouser/base/error.h>",
                                       "#include <grouser/laws/friction.h>!",
                                       "#include <grouser/mesh/triangle_mesh.h>",
                                       '#include "../../grouser/base/error.h"!',
                                       '#include "tests/base/helper.h"!'],
        "tests/record/recording_test.cpp": ["#include <hdf5.h>"],
    }
    wanted = ["docs/architecture.md: grouser/laws may know mesh, and does not",
              "docs/architecture.md: toml++ comes in at grouser/scene, and nobody there uses it",
              "docs/architecture.md: grouser/viewer is not in the table",
              "grouser::Touch is defined twice: grouser/scene/other.cpp:5, "
              "grouser/scene/scene.cpp:7",
              "ring of files that include each other: grouser/base/a, grouser/base/b, "
              "grouser/base/c, grouser/base/d"]
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for name, lines in files.items():
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(line.rstrip("!") for line in lines) + "\n")
            wanted += [f"{name}:{i}" for i, line in enumerate(lines, 1) if line.endswith("!")]
        found = [re.match(r"[\w/.]+:\d+(?=:)", line) for line in faults(tree)]
        found = [match[0] if match else line for match, line in zip(found, faults(tree))]
    if sorted(found) != sorted(wanted):
        print("layers: self-test failed", *sorted(set(wanted) ^ set(found)), sep="\n  ",
              file=sys.stderr)
        return 1
    print(f"layers: self-test ok ({len(wanted)} faults found)")
    return 0


def main(arguments):
    tree = pathlib.Path(__file__).resolve().parent.parent
    if "--help" in arguments or "-h" in arguments:
        print(__doc__)
    elif arguments == ["--self-test"]:
        return self_test()
    elif arguments == ["--graph"]:
        print_graph(tree)
    elif arguments == ["--lines"]:
        for room, lines in room_lines(tree).items():
            print(f"{room:12} {lines}")
    else:
        found = faults(pathlib.Path(arguments[0]) if arguments else tree)
        print(*found, sep="\n")
        if found:
            print(f"layers: {len(found)} faults", file=sys.stderr)
            return 1
        print("layers: ok")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
