import { drawn, type Plot } from './plot.js';

const PLOT: Plot = {
  title: 'Doses & <people>',
  step: 5,
  ticks: [{ at: 10, label: '8:00' }],
  moments: [{ at: 5, label: 'killed' }],
  panels: [
    {
      title: 'Doses a second',
      curves: [
        { name: 'taken', values: [0, 300, 0, 0], colour: '#8c959f', filled: true },
        { name: 'judged', values: [0, 0, 300, 0], colour: '#1a7f37' },
      ],
    },
  ],
};

describe('a plot', () => {
  const svg = drawn(PLOT);
  const pathOf = (colour: string): string =>
    new RegExp(`<path d="([^"]+)"[^>]*(?:fill|stroke)="${colour}"`).exec(svg)![1]!;
  /** Of each point from the left: how far it is from the left and from above. */
  const points = (path: string): [number, number][] =>
    [...path.matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

  it('draws each value in the middle of its step, the greater the higher', () => {
    const [first, second, third, last] = points(pathOf('#1a7f37'));
    expect([first![1], second![1], last![1]]).toEqual(Array(3).fill(first![1]));
    expect(third![1]).toBeLessThan(first![1]);
    expect(second![0] - first![0]).toBeCloseTo(third![0] - second![0], 0);
  });

  it('closes an area at the bottom', () => {
    const area = points(pathOf('#8c959f'));
    expect(area).toHaveLength(6);
    expect(area[0]![1]).toBe(area.at(-1)![1]);
  });

  it('has a scale that ends above the greatest value, and what is written is escaped', () => {
    expect(svg).toContain('>400</text>');
    expect(svg).toContain('Doses &amp; &lt;people>');
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('draws a plot of nothing', () => {
    const empty = { ...PLOT.panels[0]!, curves: [{ name: 'none', values: [0, 0], colour: '#1a7f37' }] };
    expect(drawn({ ...PLOT, panels: [empty] })).not.toMatch(/NaN|undefined|Infinity/);
  });
});
