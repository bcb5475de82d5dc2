import { HOUR_MS, MINUTE_MS } from '../time/durations.js';
import fc from 'fast-check';
import type { Alert } from './alert.js';
import { isFlapping } from './flapping.js';

const DELAY = 2 * HOUR_MS;
const at = (minutes: number): Date => new Date(minutes * MINUTE_MS);

describe('isFlapping', () => {
  const ended = (...minutes: number[]) => minutes.map((minute) => ({ ended_at: at(minute) }));

  it('the third within three delays comes and goes', () => {
    expect(isFlapping([], at(600), DELAY)).toBe(false);
    expect(isFlapping(ended(590), at(600), DELAY)).toBe(false);
    expect(isFlapping(ended(400, 590), at(600), DELAY)).toBe(true);
    expect(isFlapping(ended(240, 590), at(600), DELAY)).toBe(true);
    expect(isFlapping(ended(239, 590), at(600), DELAY)).toBe(false);
  });

  it('so does every further one, until there was quiet for three delays', () => {
    const last = [{ ended_at: at(240), flapping: true as const }];
    expect(isFlapping(last, at(600), DELAY)).toBe(true);
    expect(isFlapping(last, at(601), DELAY)).toBe(false);
  });
});

/** A condition that lasts for a while, and then is clear for a while. Minutes. */
interface Spell {
  lasts: number;
  clear: number;
}

interface SentMessage {
  event: 'raised' | 'resolved';
  minute: number;
}

/** The notifications for consecutive spells, by the rule. */
function notificationsOf(spells: readonly Spell[]): SentMessage[] {
  const sent: SentMessage[] = [];
  const ended: Pick<Alert, 'ended_at' | 'flapping'>[] = [];
  let open: { flapping: boolean } | undefined;
  let minute = 0;
  for (const { lasts, clear } of spells) {
    if (!open) {
      open = { flapping: isFlapping(ended, at(minute), DELAY) };
      sent.push({ event: 'raised', minute });
    }
    minute += lasts;
    const wait = open.flapping ? DELAY / MINUTE_MS : 0;
    if (clear >= wait) {
      sent.push({ event: 'resolved', minute: minute + wait });
      ended.push({ ended_at: at(minute), ...(open.flapping && { flapping: true }) });
      open = undefined;
    }
    minute += clear;
  }
  return sent;
}

describe('notifications of a condition that comes and goes (uptime-kuma#7148)', () => {
  const spell = fc.record({
    lasts: fc.integer({ min: 1, max: 300 }),
    clear: fc.integer({ min: 1, max: 300 }),
  });
  const any = fc.array(spell, { maxLength: 60 });

  it('while a condition lasts, the last notification is `raised`', () => {
    fc.assert(
      fc.property(any, (spells) => {
        const sent = notificationsOf(spells);
        let minute = 0;
        for (const { lasts, clear } of spells) {
          for (const moment of [minute, minute + lasts - 1]) {
            expect(sent.findLast((message) => message.minute <= moment)?.event).toBe('raised');
          }
          minute += lasts + clear;
        }
      }),
    );
  });

  it('when it has been clear for the delay, the last notification is `resolved`', () => {
    fc.assert(
      fc.property(fc.array(spell, { minLength: 1, maxLength: 60 }), (spells) => {
        const quiet = spells.map((one, index) =>
          index === spells.length - 1 ? { ...one, clear: 120 } : one,
        );
        expect(notificationsOf(quiet).at(-1)?.event).toBe('resolved');
      }),
    );
  });

  it('messages alternate, and never are there more than nine within three delays', () => {
    fc.assert(
      fc.property(any, (spells) => {
        const sent = notificationsOf(spells);
        sent.forEach(({ event }, index) => expect(event).toBe(index % 2 === 0 ? 'raised' : 'resolved'));
        for (const { minute } of sent) {
          const near = sent.filter((other) => other.minute >= minute && other.minute <= minute + 360);
          expect(near.length).toBeLessThanOrEqual(9);
        }
      }),
    );
  });

  it('the first two alerts and their ends are sent as they happen', () => {
    fc.assert(
      fc.property(spell, spell, (first, second) => {
        const { lasts, clear } = first;
        expect(notificationsOf([first, second])).toEqual([
          { event: 'raised', minute: 0 },
          { event: 'resolved', minute: lasts },
          { event: 'raised', minute: lasts + clear },
          { event: 'resolved', minute: lasts + clear + second.lasts },
        ]);
      }),
    );
  });
});
