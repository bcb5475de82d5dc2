/** What is drawn over the same time: panels one below the other. */
export interface Plot {
  title: string;
  /** Seconds that a value stands for. */
  step: number;
  panels: Panel[];
  /** Labels below, at their second. */
  ticks: { at: number; label: string }[];
  /** Moments, drawn through all panels. */
  moments: { at: number; label: string }[];
}

export interface Panel {
  title: string;
  curves: Curve[];
}

export interface Curve {
  name: string;
  /** One for each step. */
  values: readonly number[];
  colour: string;
  /** Drawn as an area. */
  filled?: boolean;
}

const WIDTH = 900;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 20, 62, 34];
const [PANEL, GAP] = [130, 34];
const LINES = 4;

/** As SVG, for light and dark pages. */
export function drawn({ title, step, panels, ticks, moments }: Plot): string {
  const height = TOP + panels.length * (PANEL + GAP) - GAP + BOTTOM;
  const steps = Math.max(...panels.flatMap(({ curves }) => curves.map(({ values }) => values.length)));
  const x = (second: number): number => LEFT + (second / (steps * step)) * (WIDTH - LEFT - RIGHT);
  const end = height - BOTTOM;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#24292f">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="20" font-size="14" font-weight="600">${escaped(title)}</text>`,
    ...panels.flatMap((panel, place) => panelAt(panel, TOP + place * (PANEL + GAP), step, x)),
    ...ticks.map(
      ({ at, label }) =>
        `<text x="${short(x(at))}" y="${end + 20}" text-anchor="middle">${escaped(label)}</text>`,
    ),
    ...moments.flatMap(({ at, label }, place) => [
      `<path d="M${short(x(at))} ${TOP - 14}V${end}" stroke="#cf222e" stroke-dasharray="4 3"/>`,
      `<text x="${short(x(at) + 4)}" y="${TOP - 6 - (place % 2) * 12}" fill="#cf222e" font-size="11">${escaped(label)}</text>`,
    ]),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

function panelAt(
  { title, curves }: Panel,
  top: number,
  step: number,
  x: (second: number) => number,
): string[] {
  const most = roundUp(Math.max(1, ...curves.flatMap(({ values }) => values)));
  const y = (value: number): number => top + PANEL - (value / most) * (PANEL - 18);
  const scale = Array.from({ length: LINES + 1 }, (_, line) => (most * line) / LINES);
  const legend = curves.map(({ name, colour }) => `<tspan dx="16" fill="${colour}">${escaped(name)}</tspan>`);
  return [
    ...scale.flatMap((value) => [
      `<path d="M${LEFT} ${short(y(value))}H${WIDTH - RIGHT}" stroke="#d0d7de" stroke-width="0.6"/>`,
      `<text x="${LEFT - 6}" y="${short(y(value) + 4)}" text-anchor="end" font-size="11">${value.toLocaleString('en-US')}</text>`,
    ]),
    `<text x="${LEFT}" y="${top + 6}"><tspan font-weight="600">${escaped(title)}</tspan>${legend.join('')}</text>`,
    ...curves.map(({ values, colour, filled }) => {
      const line = values
        .map((value, place) => `${short(x((place + 0.5) * step))} ${short(y(value))}`)
        .join('L');
      const [from, to] = [short(x(0.5 * step)), short(x((values.length - 0.5) * step))];
      return filled
        ? `<path d="M${from} ${short(y(0))}L${line}L${to} ${short(y(0))}Z" fill="${colour}" fill-opacity="0.3"/>`
        : `<path d="M${line}" fill="none" stroke="${colour}" stroke-width="1.4"/>`;
    }),
  ];
}

/** To a number that can be divided by four for the scale. */
function roundUp(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 8, 10].map((times) => times * size).find((round) => round >= value)!;
}

const short = (value: number): string => value.toFixed(1).replace(/\.0$/, '');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
