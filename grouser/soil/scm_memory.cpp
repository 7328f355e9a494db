#include "grouser/soil/scm_memory.h"

#include <cstring>

#include "grouser/base/assert.h"
#include "grouser/base/bytes.h"

namespace grouser {
namespace {

/// Calls `each` for all numbers of a trace that are saved, windows first.
template <class Trace, class Each>
void for_each_array(Trace& trace, Each&& each) {
  each(trace.touched);
  each(trace.shear_x);
  each(trace.shear_y);
  each(trace.per_width_from);
  each(trace.per_width_to);
  each(trace.share_from);
  each(trace.share_to);
  each(trace.loose_from);
  each(trace.deep_from);
  each(trace.deep_to);
  each(trace.change_from);
}

}  // namespace

ScmMemory::ScmMemory(SoilSurface ground, std::size_t objects, double width, double period)
    : surface(std::move(ground)),
      traces(objects),
      spare(objects),
      next(period),
      beyond_map(objects, 0),
      deepest(objects, 0.0) {
  for (ScmTrace& trace : traces) trace.new_per_width = 1.0 / width;
  GROUSER_ASSERT(width > 0.0 && period > 0.0);
}

std::unique_ptr<ContactMemory> ScmMemory::clone() const {
  return std::make_unique<ScmMemory>(*this);
}

void ScmMemory::save(std::vector<std::byte>& out) const {
  for (const double number : {time, next, compacted, displaced, lost})
    append_bytes(out, &number, sizeof number);
  append_bytes(out, &updates, sizeof updates);
  append_bytes(out, beyond_map.data(), beyond_map.size() * sizeof(std::uint64_t));
  append_bytes(out, deepest.data(), deepest.size() * sizeof(double));
  for (const ScmTrace& trace : traces) {
    append_bytes(out, &trace.nodes, sizeof trace.nodes);
    append_bytes(out, &trace.margin, sizeof trace.margin);
    for (const double number : {trace.new_per_width, trace.heap_from, trace.heap_to,
                                trace.wedge.x(), trace.wedge.y(), trace.deepest})
      append_bytes(out, &number, sizeof number);
    for_each_array(trace, [&](const auto& array) {
      const std::uint64_t count = array.size();
      append_bytes(out, &count, sizeof count);
      append_bytes(out, array.data(), count * sizeof(array[0]));
      // Equal memories are saved as equal bytes: what is not touched may be anything.
      if constexpr (std::is_same_v<decltype(array), const std::vector<double>&>) {
        if (&array == &trace.change_from || &array == &trace.loose_from) return;
        std::byte* const numbers = out.data() + out.size() - count * sizeof(double);
        for (std::size_t i = 0; i < count; ++i)
          if (!trace.touched[i]) std::memset(numbers + i * sizeof(double), 0, sizeof(double));
      }
    });
  }
  surface.save(out);
}

std::size_t ScmMemory::restore(std::span<const std::byte> in) {
  const std::size_t all = in.size();
  const auto take = [&](void* data, std::size_t size) {
    if (in.size() < size) throw InputError("saved soil contact is too short");
    if (size > 0) std::memcpy(data, in.data(), size);
    in = in.subspan(size);
  };
  for (double* number : {&time, &next, &compacted, &displaced, &lost}) take(number, sizeof *number);
  take(&updates, sizeof updates);
  take(beyond_map.data(), beyond_map.size() * sizeof(std::uint64_t));
  take(deepest.data(), deepest.size() * sizeof(double));
  for (ScmTrace& trace : traces) {
    take(&trace.nodes, sizeof trace.nodes);
    take(&trace.margin, sizeof trace.margin);
    for (double* number : {&trace.new_per_width, &trace.heap_from, &trace.heap_to, &trace.wedge.x(),
                           &trace.wedge.y(), &trace.deepest})
      take(number, sizeof *number);
    for_each_array(trace, [&](auto& array) {
      std::uint64_t count = 0;
      take(&count, sizeof count);
      if (count > in.size() / sizeof(array[0])) throw InputError("saved soil contact is too short");
      array.resize(count);
      take(array.data(), count * sizeof(array[0]));
    });
  }
  in = in.subspan(surface.restore(in));
  return all - in.size();
}

}  // namespace grouser
