// Mesh files: reading and writing.
//
// What a reader returns is welded (see weld_vertices): STL knows no shared vertices. Coordinates
// are taken as they stand: no unit is converted and no axis turned (glTF says metres and y up, the
// others say nothing). COLLADA says its unit, which is converted to metres, and its upward axis,
// which robot descriptions by custom do not look at, nor is it here. Polygons are cut into
// triangles. Everything but triangles and their groups is left out: normals, colours, lines,
// points.
//
// Groups come from the "g" lines of OBJ, or else its "usemtl", or else its "o" lines; from the
// solids of text STL; from the materials of glTF, or else its meshes; from PLY files written here.
// STL and glTF need two different names for that. Triangles without a name are in group "default"
// if others have one.
//
// OBJ, PLY and STL are read here with all their digits. glTF and COLLADA go through assimp, which
// has coordinates in single precision, about 7 digits; all nodes of its scene are put in place.
//
// A file that is cut off is refused, not read in part. Text formats cannot always tell: an OBJ file
// cut at the end of a line is a shorter OBJ file. One that does not even end with a line break is
// taken as whole only if it makes a closed surface that uses all its vertices.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// The suffix tells the format. Throws InputError with the file, the line if there is one, and what
/// is wrong.
TriangleMesh read_mesh_file(const std::string& path);

/// ".dae", ".glb", ".obj", ...: what read_mesh_file knows in this build.
std::vector<std::string> mesh_file_suffixes();

/// What was said about a mesh when it was written, line by line and without blanks at their ends:
/// the comments of a PLY file's header, or those an OBJ file starts with. Reads that much of the
/// file and no more. Throws InputError for other formats and for files that are not what their
/// suffix says.
std::vector<std::string> read_mesh_comments(const std::string& path);

/// The suffix tells the format; the same mesh gives the same bytes.
///
///   .glb  binary glTF 2.0: single precision; a material per group
///   .obj  text with all digits; groups as "g" lines
///   .ply  binary with all digits; the group of each face, and their names. Reads back the same.
///   .stl  text with all digits, no groups
///
/// Coordinates are written as they stand, see above. Comments, of one line each, stand in PLY and
/// OBJ files, and in "extras" of a GLB file's "asset"; STL has no place for them. Throws InputError
/// for an unknown suffix, a mesh that is not usable or that the format cannot hold, and RunError
/// with the path if the file cannot be written, and then leaves none behind.
void write_mesh_file(const TriangleMesh& mesh, const std::string& path,
                     std::span<const std::string> comments = {});

/// ".glb", ".obj", ...: what write_mesh_file knows.
std::vector<std::string> mesh_write_suffixes();

/// One format each, whatever the suffix. Precondition: the mesh is usable, see require_usable.
void write_mesh_obj(const TriangleMesh& mesh, const std::string& path,
                    std::span<const std::string> comments = {});

/// Text keeps all digits; binary, a quarter the size, keeps single precision.
enum class StlKind { text, binary };
void write_mesh_stl(const TriangleMesh& mesh, const std::string& path,
                    StlKind kind = StlKind::text);

}  // namespace grouser
