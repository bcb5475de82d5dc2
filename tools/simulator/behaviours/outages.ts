import type { Life } from './behaviour.js';

const HOURS_ONLINE = 8;
const SHORTEST_HOURS = 0.5;
const LONGEST_HOURS = 6;

/** A home where the wi-fi is away every few hours, for half an hour to six; the backlog follows when it is back. */
export function wifiOutages(life: Life): void {
  const { bottle, timeline, pace, random } = life;
  timeline.after(pace.hours(random.between(0, HOURS_ONLINE)), () => {
    bottle.outbox.setOnline(false);
    timeline.after(pace.hours(random.between(SHORTEST_HOURS, LONGEST_HOURS)), () => {
      bottle.outbox.setOnline(true);
      wifiOutages(life);
    });
  });
}
