import classes from './Sparkline.module.css';

/** Seconds that are drawn as one bar. */
const TOGETHER = 6;
const BAR = 3;
const HEIGHT = 28;

/** The last minutes in small: a bar for some seconds each. The number beside it says how much it is. */
export function Sparkline({ values, tone }: { values: readonly (number | null)[]; tone: 'accent' | 'open' }) {
  const bars = Array.from({ length: Math.floor(values.length / TOGETHER) }, (_, index) =>
    values
      .slice(index * TOGETHER, (index + 1) * TOGETHER)
      .reduce<number>((sum, value) => sum + (value ?? 0), 0),
  );
  const most = Math.max(1, ...bars);
  const width = Math.max(bars.length, 1) * BAR;
  return (
    <svg
      className={`${classes['sparkline']} ${classes[tone]}`}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {bars.map((value, index) => {
        const height = Math.max(value === 0 ? 1 : 2, (value / most) * HEIGHT);
        return <rect key={index} x={index * BAR} y={HEIGHT - height} width={BAR - 1} height={height} />;
      })}
    </svg>
  );
}
