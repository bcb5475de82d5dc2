import type { Bottle } from '../../api/schema.js';
import classes from './BottlePicture.module.css';

/** The inside of the drawn bottle. */
const TOP = 40;
const BOTTOM = 106;

/** A drawing of the bottle: lid on or off, and how full it is. The text beside it says the same. */
export function BottlePicture({ bottle }: { bottle: Bottle }) {
  const open = bottle.reasons.some(({ status }) => status === 'open');
  const level = fullness(bottle);
  const { status } = bottle.device;
  const silent = status === 'silent' || status === 'unknown';
  return (
    <svg className={classes['picture']} data-silent={silent || undefined} viewBox="0 0 84 116" aria-hidden>
      <clipPath id="inside">
        <path d="M16 36h52a8 8 0 0 1 8 8v56a8 8 0 0 1-8 8H16a8 8 0 0 1-8-8V44a8 8 0 0 1 8-8Z" />
      </clipPath>
      <g clipPath="url(#inside)">
        <rect x="8" y="36" width="68" height="72" className={classes['glass']} />
        {level !== undefined && (
          <rect
            x="8"
            y={BOTTOM - (BOTTOM - TOP) * level}
            width="68"
            height={(BOTTOM - TOP) * level + 4}
            className={classes['pills']}
          />
        )}
      </g>
      <path
        d="M16 36h52a8 8 0 0 1 8 8v56a8 8 0 0 1-8 8H16a8 8 0 0 1-8-8V44a8 8 0 0 1 8-8Z"
        className={classes['outline']}
      />
      <path d="M20 30h44v6H20z" className={classes['outline']} />
      <rect
        x="14"
        y="10"
        width="56"
        height="17"
        rx="4"
        className={open ? classes['lidOff'] : classes['lid']}
        transform={open ? 'rotate(-24 70 27) translate(4 -4)' : undefined}
      />
      <rect x="20" y="58" width="44" height="30" rx="3" className={classes['label']} />
      <text x="42" y="79" textAnchor="middle" className={classes['count']}>
        {bottle.pills_left ?? '?'}
      </text>
    </svg>
  );
}

/** 0 to 1; undefined if unknown. */
function fullness({ pills_left, initial_pills }: Bottle): number | undefined {
  if (pills_left === null) return undefined;
  const most = Math.max(initial_pills ?? 0, pills_left, 1);
  return pills_left / most;
}
