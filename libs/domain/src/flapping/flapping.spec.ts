import fc from 'fast-check';
import { type EndedAlert, isFlapping } from './flapping.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DELAY = 2 * HOUR;
const at = (minutes: number): Date => new Date(minutes * MINUTE);

describe('isFlapping', () => {
  const ended = (...minutes: number[]): EndedAlert[] => minutes.map((minute) => ({ ended_at: at(minute) }));

  it('the third within three delays comes and goes', () => {
    expect(isFlapping([], at(600), DELAY)).toBe(false);
    expect(isFlapping(ended(590), at(600), DELAY)).toBe(false);
    expect(isFlapping(ended(400, 590), at(600), DELAY)).toBe(true);
    expect(isFlapping(ended(240, 590), at(600), DELAY)).toBe(true);
    expect(isFlapping(ended(239, 590), at(600), DELAY)).toBe(false);
  });

  it('so does every further one, until there was quiet for three delays', () => {
    const last = [{ ended_at: at(240), flapping: true }];
    expect(isFlapping(last, at(600), DELAY)).toBe(true);
    expect(isFlapping(last, at(601), DELAY)).toBe(false);
  });
});

/** A trouble that is there for a while, and then gone for a while. Minutes. */
interface Spell {
  there: number;
  gone: number;
}

interface Told {
  event: 'raised' | 'resolved';
  minute: number;
}

/** What is told of spells, one after the other: the life of alerts by the rule. */
function tell(spells: readonly Spell[]): Told[] {
  const told: Told[] = [];
  const ended: EndedAlert[] = [];
  let open: { flapping: boolean } | undefined;
  let minute = 0;
  for (const { there, gone } of spells) {
    if (!open) {
      open = { flapping: isFlapping(ended, at(minute), DELAY) };
      told.push({ event: 'raised', minute });
    }
    minute += there;
    const wait = open.flapping ? DELAY / MINUTE : 0;
    if (gone >= wait) {
      told.push({ event: 'resolved', minute: minute + wait });
      ended.push({ ended_at: at(minute), flapping: open.flapping });
      open = undefined;
    }
    minute += gone;
  }
  return told;
}

describe('what is told of a trouble that comes and goes (uptime-kuma#7148)', () => {
  const spell = fc.record({
    there: fc.integer({ min: 1, max: 300 }),
    gone: fc.integer({ min: 1, max: 300 }),
  });
  const any = fc.array(spell, { maxLength: 60 });

  it('while a trouble lasts, the last that was told is that there is one', () => {
    fc.assert(
      fc.property(any, (spells) => {
        const told = tell(spells);
        let minute = 0;
        for (const { there, gone } of spells) {
          for (const moment of [minute, minute + there - 1]) {
            expect(told.findLast((message) => message.minute <= moment)?.event).toBe('raised');
          }
          minute += there + gone;
        }
      }),
    );
  });

  it('when it has been gone for the delay, the last that was told is that it is over', () => {
    fc.assert(
      fc.property(fc.array(spell, { minLength: 1, maxLength: 60 }), (spells) => {
        const quiet = spells.map((one, index) => (index === spells.length - 1 ? { ...one, gone: 120 } : one));
        expect(tell(quiet).at(-1)?.event).toBe('resolved');
      }),
    );
  });

  it('messages alternate, and never are there more than nine within three delays', () => {
    fc.assert(
      fc.property(any, (spells) => {
        const told = tell(spells);
        told.forEach(({ event }, index) => expect(event).toBe(index % 2 === 0 ? 'raised' : 'resolved'));
        for (const { minute } of told) {
          const near = told.filter((other) => other.minute >= minute && other.minute <= minute + 360);
          expect(near.length).toBeLessThanOrEqual(9);
        }
      }),
    );
  });

  it('the first two are told, and their ends, as they happen', () => {
    fc.assert(
      fc.property(spell, spell, (first, second) => {
        const { there, gone } = first;
        expect(tell([first, second])).toEqual([
          { event: 'raised', minute: 0 },
          { event: 'resolved', minute: there },
          { event: 'raised', minute: there + gone },
          { event: 'resolved', minute: there + gone + second.there },
        ]);
      }),
    );
  });
});
