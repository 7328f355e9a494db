// Tables and pictures of what a plot shows.

import type { PlotColumn } from "./series";

function csvField(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows with times in [from, to], numbers in full precision. */
export function csvText(names: string[], columns: PlotColumn[], from: number, to: number): string {
  const times = columns[0] ?? [];
  const lines = [names.map(csvField).join(",")];
  for (let i = 0; i < times.length; ++i) {
    const time = times[i]!;
    if (time < from || time > to) continue;
    lines.push(columns.map((column) => {
      const value = column[i];
      return value === null || value === undefined || Number.isNaN(value) ? "" : String(value);
    }).join(","));
  }
  return lines.join("\n") + "\n";
}

export interface LegendEntry {
  text: string;
  color: string;
  dash: number[];
}

/** The plot's canvas below a legend, on the ground of the theme. */
export function plotPicture(
  plot: HTMLCanvasElement, legend: LegendEntry[], background: string, foreground: string,
): HTMLCanvasElement {
  const scale = devicePixelRatio;
  const lineHeight = 18 * scale;
  const margin = 8 * scale;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  const font = `${12 * scale}px system-ui, sans-serif`;
  const swatch = 26 * scale;

  // Entries flow into rows as wide as the plot.
  context.font = font;
  const places: { x: number; row: number }[] = [];
  let x = margin;
  let row = 0;
  for (const entry of legend) {
    const width = swatch + context.measureText(entry.text).width + 18 * scale;
    if (x + width > plot.width && x > margin) {
      x = margin;
      ++row;
    }
    places.push({ x, row });
    x += width;
  }
  const legendHeight = legend.length === 0 ? 0 : (row + 1) * lineHeight + margin;

  canvas.width = plot.width;
  canvas.height = plot.height + legendHeight + margin;
  context.fillStyle = background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = font;
  context.textBaseline = "middle";
  legend.forEach((entry, i) => {
    const place = places[i]!;
    const y = margin + (place.row + 0.5) * lineHeight;
    context.strokeStyle = entry.color;
    context.lineWidth = 2 * scale;
    context.setLineDash(entry.dash.map((length) => length * scale));
    context.beginPath();
    context.moveTo(place.x, y);
    context.lineTo(place.x + swatch - 6 * scale, y);
    context.stroke();
    context.fillStyle = foreground;
    context.fillText(entry.text, place.x + swatch, y);
  });
  context.drawImage(plot, 0, legendHeight);
  return canvas;
}
