// Colour maps and palettes that colour-blind people can read.

export type Rgb = [number, number, number];  // sRGB, 0 to 255

const kViridis = [
  "#440154", "#482878", "#3e4989", "#31688e", "#26828e",
  "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725",
];
// From dry soil through blue to violet: darker is deeper, told apart along yellow and blue.
const kRut = ["#cdbd98", "#b5ab86", "#8fa08c", "#5f8f98", "#3b7299", "#33508f", "#36307a", "#2b1255"];
const kHeap = ["#f4ecd8", "#cdbd98"];

// Okabe and Ito (2008), ordered for contrast with the ground of the theme.
const kSeriesOnLight = [
  "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222", "#b8a800",
];
const kSeriesOnDark = [
  "#56b4e9", "#e69f00", "#26c196", "#cc79a7", "#f0e442", "#ef7a2c", "#4a9fdc", "#e8e8e8",
];

/** Muted colours of bodies, apart in lightness as well as in hue. */
const kBodyColors = ["#7fa3c7", "#d9a066", "#84b59f", "#c58fae", "#b9b77a", "#8f9bb3", "#cf8a78", "#9cc3d5"];

export const kRunColors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
export const kForceColor = "#d55e00";
export const kTorqueColor = "#cc79a7";

export type MapName = "viridis" | "rut" | "heap";
const kStops: Record<MapName, string[]> = { viridis: kViridis, rut: kRut, heap: kHeap };

export function rgbOf(hex: string): Rgb {
  const bits = parseInt(hex.slice(1), 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
}

/** Colour at a fraction 0 to 1 of a map. */
export function mapColor(name: MapName, fraction: number): Rgb {
  const stops = kStops[name];
  const place = Math.min(1, Math.max(0, fraction || 0)) * (stops.length - 1);
  const i = Math.min(Math.floor(place), stops.length - 2);
  const a = rgbOf(stops[i]!);
  const b = rgbOf(stops[i + 1]!);
  const mix = (c: 0 | 1 | 2) => Math.round(a[c] + (place - i) * (b[c] - a[c]));
  return [mix(0), mix(1), mix(2)];
}

/** Rut depth in [-heap, depth]: heaps are lighter than untouched soil, ruts darker. */
export function rutColor(rut: number, depth: number, heap: number): Rgb {
  if (rut < 0) return mapColor("heap", heap > 0 ? 1 + rut / heap : 1);
  return mapColor("rut", depth > 0 ? rut / depth : 0);
}

export function cssColor([r, g, b]: Rgb): string {
  return `rgb(${r}, ${g}, ${b})`;
}

/** CSS gradient from the lowest to the greatest value of a scale. */
export function cssGradient(color: (fraction: number) => Rgb): string {
  const stops = Array.from({ length: 17 }, (_, i) => cssColor(color(i / 16)));
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

export function linearOfSrgb(value: number): number {
  const v = value / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
}

export function seriesColor(index: number, dark: boolean): string {
  const palette = dark ? kSeriesOnDark : kSeriesOnLight;
  return palette[index % palette.length]!;
}

export function bodyColor(index: number): string {
  return kBodyColors[index % kBodyColors.length]!;
}
