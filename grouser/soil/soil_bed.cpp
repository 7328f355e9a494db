#include "grouser/soil/soil_bed.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "grouser/base/bits.h"
#include "grouser/math/registers.h"

namespace grouser::erosion {

using namespace registers;

namespace {

using Byte = std::uint8_t;

/// As a double not a number.
constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

template <class T>
T* take_filled(Index count, T value, Scratch& scratch) {
  const std::span<T> out = scratch.take<T>(static_cast<std::size_t>(count));
  std::fill(out.begin(), out.end(), value);
  return out.data();
}

/// Rows of the bed from rows of nx numbers, with `rest` beyond.
double* padded_copy(std::span<const double> numbers, double rest, const Bed& bed,
                    Scratch& scratch) {
  double* out = scratch.take<double>(static_cast<std::size_t>(bed.pitch * bed.ny)).data();
  for (Index iy = 0; iy < bed.ny; ++iy) {
    double* row = out + iy * bed.pitch;
    std::memcpy(row, numbers.data() + iy * bed.nx, static_cast<std::size_t>(bed.nx) * sizeof *row);
    for (Index ix = bed.nx; ix < bed.pitch; ++ix) row[ix] = rest;
  }
  return out;
}

/// Sets all bits of the numbers whose byte is not zero.
void set_bits(std::span<const Byte> bytes, const Bed& bed, double* numbers) {
  constexpr Index kStep = 8;  // bytes that are often all zero
  const double all = std::bit_cast<double>(kAllBits);
  for (Index iy = 0; iy < bed.ny; ++iy) {
    double* row = numbers + iy * bed.pitch;
    const Byte* byte = bytes.data() + iy * bed.nx;
    Index ix = 0;
    for (; ix + kStep <= bed.nx; ix += kStep) {
      std::uint64_t eight;
      std::memcpy(&eight, byte + ix, kStep);
      if (eight == kAllBits / 0xff) {  // all of them 1
        std::fill_n(row + ix, kStep, all);
        continue;
      }
      for (Index k = ix; eight != 0; eight >>= 8, ++k)
        if ((eight & 0xff) != 0) row[k] = all;
    }
    for (; ix < bed.nx; ++ix)
      if (byte[ix] != 0) row[ix] = all;
  }
}

/// Parts of a row of bytes with one that is not zero.
Parts parts_with_any(const Byte* row, const Bed& bed) {
  Parts parts = 0;
  Index ix = 0;
  for (Index k = 0; ix < bed.nx; ++k)
    for (const Index end = std::min(ix + bed.part, bed.nx); ix < end; ix += kBlock) {
      std::uint32_t four_bytes = 0;
      if (ix + kBlock <= end)
        std::memcpy(&four_bytes, row + ix, kBlock);
      else
        std::memcpy(&four_bytes, row + ix, static_cast<std::size_t>(end - ix));
      parts |= static_cast<Parts>(four_bytes != 0) << k;
    }
  return parts;
}

void set_active(std::span<const Byte> active, Bed& bed, Scratch& scratch) {
  bed.active = take_filled(bed.pitch * bed.ny, 0.0, scratch);
  set_bits(active, bed, bed.active);
  Parts row = parts_with_any(active.data(), bed);
  for (Index iy = 0; iy < bed.ny; ++iy) {
    const bool is_last = iy + 1 == bed.ny;
    const Parts above = is_last ? 0 : parts_with_any(active.data() + (iy + 1) * bed.nx, bed);
    bed.allowed[iy] &= widened(row | above);
    row = above;
  }
}

}  // namespace

Bed make_bed(const SoilField& field, std::span<const Byte> active, Scratch& scratch) {
  Bed bed;
  bed.nx = field.nx;
  bed.ny = field.ny;
  const Index blocks = (bed.nx + kBlock - 1) / kBlock;
  bed.part = (blocks + kMostParts - 1) / kMostParts * kBlock;
  const Index parts = (bed.nx + bed.part - 1) / bed.part;
  bed.pitch = parts * bed.part + kMargin;
  bed.all = ~Parts{0} >> (kMostParts - parts);
  bed.allowed = take_filled(bed.ny, bed.all, scratch);
  // Each has a place before the first node.
  for (double*& flow : bed.flow) flow = take_filled(bed.pitch + kMargin, 0.0, scratch) + kMargin;
  bed.before = take_filled(bed.ny, Parts{0}, scratch);
  bed.now = take_filled(bed.ny + 1, Parts{0}, scratch) + 1;
  bed.touched = take_filled(bed.ny, Parts{0}, scratch);
  bed.change = padded_copy(field.change, std::bit_cast<double>(kAllBits), bed, scratch);
  if (!field.closed.empty()) set_bits(field.closed, bed, bed.change);
  if (!field.ground.empty()) bed.ground = padded_copy(field.ground, 0.0, bed, scratch);
  if (!active.empty()) set_active(active, bed, scratch);
  return bed;
}

void write_back(const Bed& bed, std::span<double> change) {
  for (Index iy = 0; iy < bed.ny; ++iy) {
    const double* from = bed.change + iy * bed.pitch;
    double* to = change.data() + iy * bed.nx;
    for_each_bit(bed.touched[iy], [&](std::size_t k) {
      Index ix = static_cast<Index>(k) * bed.part;
      const Index end = std::min(ix + bed.part, bed.nx);
      for (; ix + 2 <= end; ix += 2) store(to + ix, number_or(load2(from + ix), load2(to + ix)));
      if (ix < end && from[ix] == from[ix]) to[ix] = from[ix];
    });
  }
}

}  // namespace grouser::erosion
