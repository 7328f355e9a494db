#include "grouser/soil/tested_object.h"

#include <algorithm>

#include "grouser/base/text.h"
#include "grouser/soil/soil_models.h"

namespace grouser {

TestedObject::TestedObject(const SoilGroundDef& soil,
                           const std::shared_ptr<const TriangleMesh>& mesh, const Setup& setup) {
  ContactWorldDef def;
  SoilGroundDef bed = soil;
  bed.name = "bed";
  bed.body = "world";
  def.add(bed);
  def.gravity = setup.gravity;
  def.threads = setup.threads;
  ShapeDef shape;
  shape.name = shape.body = "object";
  shape.geometry = MeshShape{mesh};
  def.shapes = {shape};
  Value keys = setup.settings;
  set_at_path(keys, "soil", Value("bed"));
  set_at_path(keys, "objects", Value(Value::Array{Value("object")}));
  def.contacts.push_back(find_model(soil_models(), setup.model, setup.place).read(keys, "contact"));
  world_ = std::make_unique<ContactWorld>(def);
  object_ = world_->body("object");
  lowest_ = bounding_box(*mesh).lower.z();
  const std::vector<ReportChannel> channels = world_->contact(0).report_channels();
  const auto area = std::ranges::find(channels, "contact_area", &ReportChannel::name);
  if (area != channels.end()) area_channel_ = static_cast<std::size_t>(area - channels.begin());
}

const Wrench& TestedObject::ask(double time, const BodyKinematics& body) {
  world_->set_body(object_, body);
  if (world_->evaluate(time) == Status::impossible)
    throw RunError("the object has gone through the ground at t = " + to_text(time, 4) + " s");
  return world_->wrench(object_);
}

void TestedObject::advance(double time, double h) {
  world_->commit(time);
  for (std::size_t i = 0; i < world_->state_count(); ++i)
    world_->states()[i] += h * world_->state_derivatives()[i];
  const double next = world_->next_update();
  if (time >= next * (1.0 - 1e-12)) world_->update(std::max(time, next));
}

double TestedObject::contact_area(double time) {
  if (!area_channel_) return 0.0;
  world_->report(time, 0, report_);
  return report_.channels[*area_channel_];
}

}  // namespace grouser
