// Datasets that grow row by row.
//
// Only recording_*.cpp include this header.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/record/recording_hdf5.h"

namespace grouser::recording {

/// A dataset without rows yet. Rows nobody wrote read as `fill`.
Handle make_growing(hid_t parent, const std::string& path, hid_t type,
                    std::span<const hsize_t> chunk, const void* fill);
/// Enlarges the dataset to `first` + `count` rows and writes the last `count`.
void append_rows(hid_t dataset, hid_t type, hsize_t first, hsize_t count, const void* data);

/// A dataset and the rows that wait for it.
template <class Number>
struct Series {
  Handle dataset;
  std::size_t width = 1;
  hsize_t written = 0;  // rows
  std::vector<Number> waiting;

  static hid_t type() {
    if constexpr (std::is_same_v<Number, double>) return H5T_NATIVE_DOUBLE;
    return H5T_NATIVE_INT64;
  }
  void write() {
    append(waiting);
    waiting.clear();
  }
  // Rows that need not wait.
  void append(std::span<const Number> numbers) {
    if (numbers.empty()) return;
    const hsize_t rows = numbers.size() / width;
    GROUSER_ASSERT(rows * width == numbers.size());
    append_rows(dataset, type(), written, rows, numbers.data());
    written += rows;
  }
};

/// The two datasets of a patch.
struct PatchSeries {
  Series<double> data;
  Series<std::int64_t> offsets;
  std::int64_t rows = 0;  // of all samples, written or waiting
};

/// Rows nobody wrote read as NaN.
Series<double> make_series(hid_t parent, const std::string& path, std::span<const hsize_t> chunk);

}  // namespace grouser::recording
