// Channels that the page computes: speeds, motor power, energies, slip and sinkage of driven wheels.
// What a recording has itself is left alone.

import { growingF32 } from "./growing";
import type { Channel, Derivation, Run } from "./run_data";
import { isPicture, rollingRadius } from "./shape_measures";
import { initialHeight } from "./soil_history";

const kSlowestRolling = 2e-3;  // m/s; below it the ratio says nothing

export function addDerivedChannels(run: Run): void {
  for (const channel of run.channels.slice()) addMotorPower(run, channel);
  addTotalEnergy(run);
  addSpeeds(run);
  addDeepestRuts(run);
  const has = (start: string) => run.channels.some((channel) => channel.path.startsWith(start));
  if (has("motors/") && !has("wheels/")) addWheels(run);
}

function derivation(
  path: string, unit: string, description: string, value: (sample: number) => number,
): Derivation {
  const channel: Channel = {
    path, unit, columns: [""], description: `${description} (computed by the page)`,
    values: [growingF32(new Float32Array(0))], derived: true,
  };
  return { channel, value };
}

function addMotorPower(run: Run, effort: Channel): void {
  const match = /^motors\/(.+)\/effort$/.exec(effort.path);
  if (match === null || run.channel(`motors/${match[1]}/power`) !== undefined) return;
  const joint = jointOfMotor(run, match[1]!);
  if (joint === undefined) return;
  const torque = effort.values[0]!;
  const speed = joint.values[0]!;
  run.derive(derivation(`motors/${match[1]}/power`, "W", "effort times joint speed",
    (sample) => torque.data[sample]! * speed.data[sample]!));
}

/** The parameters name the joint; without them a joint of the motor's name, or one that begins so. */
function jointOfMotor(run: Run, motor: string): Channel | undefined {
  const section = run.about.parameters?.find((entry) => entry.section === `motor ${motor}`);
  const named = section?.rows.find((row) => row[0] === "joint")?.[1]?.replaceAll('"', "");
  for (const joint of [named, motor, `${motor}_spin`, `${motor}_drive`]) {
    const channel = run.channel(`joints/${joint}/velocity`);
    if (channel !== undefined) return channel;
  }
  const candidates = run.channels.filter(
    (channel) => channel.path.startsWith(`joints/${motor}_`) && channel.path.endsWith("/velocity"));
  return candidates.length === 1 ? candidates[0] : undefined;
}

function addTotalEnergy(run: Run): void {
  const kinetic = run.channel("system/kinetic_energy");
  const potential = run.channel("system/potential_energy");
  if (kinetic === undefined || potential === undefined) return;
  const elastic = run.channels.filter((channel) => /^contacts\/.*\/elastic_energy$/.test(channel.path));
  const parts = [kinetic, potential, ...elastic].map((channel) => channel.values[0]!);
  run.derive(derivation("system/total_energy", "J", "kinetic, potential and elastic energy",
    (sample) => parts.reduce((sum, part) => sum + part.data[sample]!, 0)));
}

function addSpeeds(run: Run): void {
  for (const body of run.bodies) {
    const kinds = [["velocity", "speed", "m/s"], ["angular_velocity", "turning", "rad/s"]] as const;
    for (const [source, name, unit] of kinds) {
      const v = run.channel(`bodies/${body.name}/${source}`)?.values;
      if (v === undefined || v.length < 3) continue;
      run.derive(derivation(`bodies/${body.name}/${name}`, unit, `size of ${source}`,
        (sample) => Math.hypot(v[0]!.data[sample]!, v[1]!.data[sample]!, v[2]!.data[sample]!)));
    }
  }
}

/** Greatest over the time so far, so that each change is looked at once. */
function addDeepestRuts(run: Run): void {
  for (const soil of run.soils) {
    let deepest = 0;
    run.derive(derivation(`soil/${soil.name}/deepest_rut`, "m", "greatest rut depth so far",
      (sample) => {
        if (sample === 0) deepest = 0;
        const end = soil.offsets.data[sample + 1] ?? 0;
        for (let row = soil.offsets.data[sample] ?? 0; row < end; ++row)
          deepest = Math.max(deepest, soil.initial[soil.nodes.data[row]!]! - soil.values.data[row]!);
        return deepest;
      }));
  }
}

function addWheels(run: Run): void {
  for (const body of run.bodies) {
    const radius = run.shapes.filter((shape) => shape.body === body.name && !isPicture(shape))
      .map(rollingRadius).find((candidate) => candidate !== null);
    if (radius === undefined || radius === null) continue;
    addSlip(run, body.name, radius);
    addSinkage(run, body.name, radius);
  }
}

/** Slip in the direction in which the wheel rolls: 1 spins on the spot, 0 rolls, -1 is dragged. */
function addSlip(run: Run, body: string, radius: number): void {
  const v = run.channel(`bodies/${body}/velocity`)?.values;
  const w = run.channel(`bodies/${body}/angular_velocity`)?.values;
  if (v === undefined || w === undefined || v.length < 3 || w.length < 3) return;
  run.derive(derivation(`wheels/${body}/slip`, "", "1 spins on the spot, 0 rolls, -1 is dragged",
    (sample) => {
      const rollX = w[1]!.data[sample]! * radius;
      const rollY = -w[0]!.data[sample]! * radius;
      const rolling = Math.hypot(rollX, rollY);
      if (rolling < kSlowestRolling) return NaN;
      const along = (v[0]!.data[sample]! * rollX + v[1]!.data[sample]! * rollY) / rolling;
      return (rolling - along) / Math.max(rolling, Math.abs(along));
    }));
}

function addSinkage(run: Run, body: string, radius: number): void {
  const p = run.channel(`bodies/${body}/position`)?.values;
  if (p === undefined || run.soils.length === 0) return;
  run.derive(derivation(`wheels/${body}/sinkage`, "m", "of the lowest point below untouched soil",
    (sample) => {
      const x = p[0]!.data[sample]!;
      const y = p[1]!.data[sample]!;
      for (const soil of run.soils) {
        const height = initialHeight(soil, x, y);
        if (!Number.isNaN(height)) return height - (p[2]!.data[sample]! - radius);
      }
      return NaN;
    }));
}
