#include "grouser/run/checkpoint.h"

#include <span>

#include "grouser/base/archive.h"
#include "grouser/base/error.h"
#include "grouser/base/sealed_bytes.h"
#include "grouser/base/text_file.h"
#include "grouser/base/whole_file.h"

namespace grouser {
namespace {

constexpr Seal kCheckpointSeal = {
    {'g', 'r', 'o', 'u', 's', 'e', 'r', 'C'}, 1, "checkpoint of a run", "nothing that is known"};

void archive(Archive& a, Checkpoint& checkpoint) {
  a(checkpoint.scene, checkpoint.overrides, checkpoint.recording, checkpoint.interval,
    checkpoint.state);
}

}  // namespace

void write_checkpoint(const std::string& path, Checkpoint checkpoint) {
  std::vector<std::byte> bytes = kCheckpointSeal.open();
  Archive a(bytes);
  archive(a, checkpoint);
  kCheckpointSeal.close(bytes, 0);
  write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Checkpoint read_checkpoint(const std::string& path) {
  const TextFile file = read_file(path, "a checkpoint");
  Checkpoint out;
  try {
    Archive a(kCheckpointSeal.content_of(std::as_bytes(std::span(file.bytes)), 0));
    archive(a, out);
  } catch (const InputError& error) {
    throw InputError(file.place(), error.what());
  }
  return out;
}

}  // namespace grouser
