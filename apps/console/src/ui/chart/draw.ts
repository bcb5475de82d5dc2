import type uPlot from 'uplot';
import type { ChartMark, MarkKind } from './marks.js';

/** Of what is shaded, so that the line stays readable. */
const SHADE = '24';

/** Draws what is marked: times as shades, alerts as flags, doses on the first line. */
export function drawMarks(
  plot: uPlot,
  marks: readonly ChartMark[],
  colourOf: (kind: MarkKind) => string,
): void {
  const { ctx, bbox } = plot;
  const { min = 0, max = 0 } = plot.scales['x'] ?? {};
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { kind, from, to } of marks) {
    if (from > max! || (to ?? from) < min!) continue;
    const left = plot.valToPos(Math.max(from, min!), 'x', true);
    ctx.fillStyle = colourOf(kind);
    ctx.strokeStyle = colourOf(kind);
    if (to !== undefined) {
      const right = plot.valToPos(Math.min(to, max!), 'x', true);
      ctx.fillStyle += SHADE;
      ctx.fillRect(left, bbox.top, Math.max(right - left, devicePixelRatio), bbox.height);
    } else if (kind === 'alert') drawFlag(ctx, left, bbox);
    else drawDose(ctx, left, heightAt(plot, from), kind === 'taken');
  }
  ctx.restore();
}

/** Shades the time that is not counted to its end. */
export function drawUnfinished(plot: uPlot, from: number, colour: string): void {
  const { ctx, bbox } = plot;
  const left = Math.max(bbox.left, plot.valToPos(from, 'x', true));
  const right = bbox.left + bbox.width;
  if (left >= right) return;
  ctx.save();
  ctx.fillStyle = `${colour}${SHADE}`;
  ctx.fillRect(left, bbox.top, right - left, bbox.height);
  ctx.restore();
}

function drawFlag(ctx: CanvasRenderingContext2D, x: number, { top, height }: uPlot.BBox): void {
  const size = 6 * devicePixelRatio;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, top);
  ctx.lineTo(x, top + height);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(x - size, top);
  ctx.lineTo(x + size, top);
  ctx.lineTo(x, top + size * 1.4);
  ctx.fill();
}

/** A dot where a dose was taken, a cross where one was missed. */
function drawDose(ctx: CanvasRenderingContext2D, x: number, y: number, isTaken: boolean): void {
  const size = 4 * devicePixelRatio;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  if (isTaken) {
    ctx.arc(x, y, size, 0, 2 * Math.PI);
    ctx.fill();
    return;
  }
  ctx.moveTo(x - size, y - size);
  ctx.lineTo(x + size, y + size);
  ctx.moveTo(x + size, y - size);
  ctx.lineTo(x - size, y + size);
  ctx.stroke();
}

/** Where the first line is at a time: its last value by then, or the bottom. */
function heightAt(plot: uPlot, at: number): number {
  const [times, values = []] = plot.data;
  for (let row = times.findLastIndex((time) => time <= at); row >= 0; row -= 1) {
    const value = values[row];
    if (value != null) return plot.valToPos(value, 'y', true);
  }
  return plot.bbox.top + plot.bbox.height;
}
