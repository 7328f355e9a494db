// Plots that a scene opens with.

import type { Run } from "../run_data";
import type { SeriesKey } from "./series";

export interface DefaultPlot {
  title: string;
  keys: SeriesKey[];
}

const kMostLines = 8;

function scalars(run: Run, pattern: RegExp): SeriesKey[] {
  return run.channels.filter((channel) => pattern.test(channel.path) && channel.columns.length === 1)
    .slice(0, kMostLines).map((channel) => ({ path: channel.path, column: 0 }));
}

/** The channels of the first pattern that has some. */
function firstFound(run: Run, ...patterns: RegExp[]): SeriesKey[] {
  for (const pattern of patterns) {
    const keys = scalars(run, pattern);
    if (keys.length > 0) return keys;
  }
  return [];
}

/** What the recording says of a rover, as a whole and wheel by wheel. */
function roverPlots(run: Run): DefaultPlot[] {
  return [
    { title: "Drive torque", keys: scalars(run, /^wheels\/.*\/drive_torque$/) },
    { title: "Slip", keys: scalars(run, /^wheels\/.*\/slip$/) },
    { title: "Sinkage", keys: scalars(run, /^wheels\/.*\/sinkage$/) },
    { title: "Steering torque", keys: scalars(run, /^wheels\/.*\/steering_torque$/) },
    { title: "Normal force", keys: scalars(run, /^wheels\/.*\/normal_force$/) },
    { title: "Speed", keys: scalars(run, /^rover\/speed$/) },
    { title: "Attitude", keys: scalars(run, /^rover\/(roll|pitch|heading)$/) },
    { title: "Power", keys: scalars(run, /^rover\/power$/) },
  ];
}

function motorPlots(run: Run): DefaultPlot[] {
  return [
    { title: "Slip", keys: scalars(run, /^contacts\/.*\/slip(_ratio)?$/) },
    { title: "Sinkage", keys: firstFound(run, /^contacts\/.*\/sinkage$/, /^contacts\/.*\/penetration$/) },
    { title: "Drive torque", keys: scalars(run, /^motors\/.*\/effort$/) },
    { title: "Drive power", keys: scalars(run, /^motors\/.*\/power$/) },
  ];
}

function bouncePlots(run: Run): DefaultPlot[] {
  const heights = run.bodies.slice(0, kMostLines)
    .map((body) => ({ path: body.position.path, column: 2 }));
  return [
    { title: "Height", keys: heights },
    { title: "Speed", keys: scalars(run, /^bodies\/.*\/speed$/) },
    { title: "Turning", keys: scalars(run, /^bodies\/.*\/turning$/) },
    { title: "Energy", keys: [...scalars(run, /^system\/.*energy$/)] },
    { title: "Greatest penetration", keys: scalars(run, /^contacts\/.*\/penetration$/) },
  ];
}

/** Joints that drive each other by contact. */
function machinePlots(run: Run): DefaultPlot[] {
  return [
    { title: "Joint speed", keys: scalars(run, /^joints\/.*\/velocity$/) },
    { title: "Joint position", keys: scalars(run, /^joints\/.*\/position$/) },
    { title: "Contact force", keys: scalars(run, /^contacts\/.*\/normal_force$/) },
    { title: "Drive torque", keys: scalars(run, /^(motors|prescribed)\/.*\/effort$/) },
    { title: "Greatest penetration", keys: scalars(run, /^contacts\/.*\/penetration$/) },
  ];
}

export function defaultPlots(run: Run): DefaultPlot[] {
  const has = (start: string) => run.channels.some((channel) => channel.path.startsWith(start));
  // Contact elements tell their friction; wheels have slip instead.
  const elements = scalars(run, /^contacts\/.*\/friction_force$/).length > 0;
  const all = has("rover/") ? roverPlots(run) : elements && has("joints/") ? machinePlots(run)
    : has("motors/") ? motorPlots(run) : bouncePlots(run);
  const plots = all.filter((plot) => plot.keys.length > 0);
  if (plots.length > 0) return plots;
  const any = run.channels[0];
  if (any === undefined) return [];
  return [{ title: "", keys: any.columns.map((_, column) => ({ path: any.path, column })) }];
}
