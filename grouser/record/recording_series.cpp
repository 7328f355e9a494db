#include "grouser/record/recording_series.h"

#include <algorithm>
#include <limits>

#include "grouser/base/assert.h"

namespace grouser::recording {

Handle make_growing(hid_t parent, const std::string& path, hid_t type,
                    std::span<const hsize_t> chunk, const void* fill) {
  GROUSER_ASSERT(!chunk.empty() && std::ranges::all_of(chunk, [](hsize_t n) { return n > 0; }));
  std::vector<hsize_t> size(chunk.begin(), chunk.end());
  std::vector<hsize_t> limit = size;
  size[0] = 0;
  limit[0] = H5S_UNLIMITED;
  const int rank = static_cast<int>(size.size());
  const Handle space(H5Screate_simple(rank, size.data(), limit.data()), H5Sclose);

  const Handle links = make_properties(H5P_LINK_CREATE);
  check(H5Pset_create_intermediate_group(links, 1));
  check(H5Pset_char_encoding(links, H5T_CSET_UTF8));
  const Handle creation = make_properties(H5P_DATASET_CREATE);
  check(H5Pset_chunk(creation, rank, chunk.data()));
  if (fill) check(H5Pset_fill_value(creation, type, fill));

  return {H5Dcreate2(parent, path.c_str(), type, space, links, creation, H5P_DEFAULT), H5Dclose};
}

void append_rows(hid_t dataset, hid_t type, hsize_t first, hsize_t count, const void* data) {
  GROUSER_ASSERT(count > 0 && data);
  std::vector<hsize_t> size = size_of(dataset);
  GROUSER_ASSERT(!size.empty() && size[0] == first);
  std::vector<hsize_t> start(size.size(), 0);
  size[0] = first + count;
  check(H5Dset_extent(dataset, size.data()));
  start[0] = first;
  size[0] = count;
  const Handle rows(H5Dget_space(dataset), H5Sclose);
  check(H5Sselect_hyperslab(rows, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr));
  check(H5Dwrite(dataset, type, make_space(size), rows, H5P_DEFAULT, data));
}

Series<double> make_series(hid_t parent, const std::string& path, std::span<const hsize_t> chunk) {
  const double fill = std::numeric_limits<double>::quiet_NaN();
  const std::size_t width = chunk.size() > 1 ? chunk[1] : 1;
  return {make_growing(parent, path, H5T_NATIVE_DOUBLE, chunk, &fill), width, 0, {}};
}

}  // namespace grouser::recording
