// Numbers with units as people read them: 1.25 mm, 3.1 kN, 40 µs.

interface Scaling {
  factor: number;  // shown number = factor * number in SI
  unit: string;
}

const kPrefixes = [
  { symbol: "n", power: -9 }, { symbol: "µ", power: -6 }, { symbol: "m", power: -3 },
  { symbol: "", power: 0 },
  { symbol: "k", power: 3 }, { symbol: "M", power: 6 }, { symbol: "G", power: 9 },
];

// Greatest power of ten a prefix may have: nobody reads ks or Mm/s.
const kGreatestPower = new Map([
  ["s", 0], ["m", 3], ["m/s", 0], ["m/s^2", 0], ["N", 9], ["Nm", 9], ["N m", 9], ["Pa", 9], ["J", 9],
  ["W", 9], ["N/m", 9], ["V", 9], ["A", 9], ["Hz", 9],
]);

const kAreas = [
  { factor: 1e6, unit: "mm²" }, { factor: 1e4, unit: "cm²" }, { factor: 1, unit: "m²" },
];

export function prettyUnit(unit: string): string {
  return unit.replace(/\^2/g, "²").replace(/\^3/g, "³").replace(/\^-1/g, "⁻¹").replace(/\*/g, "·")
    .replace(/\bNm\b/g, "N·m").replace(/\bN m\b/g, "N·m");
}

/** How to show numbers of about this size. */
export function scalingFor(magnitude: number, unit: string): Scaling {
  const size = Math.abs(magnitude);
  const plain = { factor: 1, unit: prettyUnit(unit) };
  if (!(size > 0) || !Number.isFinite(size)) return plain;
  if (unit === "m^2") return kAreas.find((area) => size * area.factor < 1000) ?? plain;
  const greatest = kGreatestPower.get(unit);
  if (greatest === undefined) return plain;
  // A little below 1 m stays in metres; below 0.1 m millimetres read better.
  const wanted = Math.floor((Math.log10(size) + (size < 1 ? 1 : 0)) / 3) * 3;
  const power = Math.min(greatest, Math.max(-9, wanted));
  const prefix = kPrefixes.find((candidate) => candidate.power === power)!;
  return { factor: 10 ** -power, unit: prefix.symbol + prettyUnit(unit) };
}

/** Up to `digits` significant digits, no trailing zeros, powers of ten only when needed. */
export function formatNumber(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4
    ? value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e")
    : String(Number(value.toPrecision(digits)));
  return text.replaceAll("-", "−");
}

export function formatQuantity(value: number, unit: string, digits = 4): string {
  const scaling = scalingFor(value, unit);
  const number = formatNumber(value * scaling.factor, digits);
  return scaling.unit === "" || number === "–" ? number : `${number}\u00a0${scaling.unit}`;
}

/** Seconds with as many decimals as the length of the run needs. */
export function formatTime(time: number, duration: number): string {
  const decimals = duration > 0 ? Math.min(9, Math.max(2, 3 - Math.floor(Math.log10(duration)))) : 3;
  return time.toFixed(decimals);
}
