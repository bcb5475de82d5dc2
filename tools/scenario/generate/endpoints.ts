import type { Random } from '../../random.js';
import type { EndpointPlan } from './oracle/endpoints.js';

/** What programs are after: everything, doses, beginnings and what ends them, bad news, devices. */
const WISHES: EndpointPlan[] = [
  { name: 'everything' },
  { name: 'doses', kinds: ['missed_dose', 'extra_dose', 'coverage_gap'] },
  { name: 'starts', events: ['alert.raised', 'alert.resolved', 'alert.retracted'] },
  { name: 'missed', events: ['alert.missed', 'alert.partial', 'alert.unconfirmed', 'alert.summary'] },
  {
    name: 'devices',
    kinds: ['bottle_silent', 'bottle_open', 'battery_low'],
    events: ['alert.raised', 'alert.escalated', 'alert.resolved', 'alert.closed_by_staff'],
  },
];

/** Draws which endpoints of webhooks admins have added: one or two. */
export function drawEndpoints(random: Random): EndpointPlan[] {
  const first = random.integer(0, WISHES.length - 1);
  const second = random.integer(0, WISHES.length - 1);
  return WISHES.filter((_, index) => index === first || index === second);
}
