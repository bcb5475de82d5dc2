import { DAY_MS } from '#domain';
import { overwrittenAt } from './oplog-window.js';

const at = (day: number): Date => new Date(Date.UTC(2026, 2, 1) + day * DAY_MS);

it('an entry is overwritten once a whole oplog was written after it, at the rate so far', () => {
  // a tenth in five days
  const window = { since: at(0), size: 10, limit: 100 };
  expect(overwrittenAt(at(5), window, at(5))).toEqual(at(55));
  expect(overwrittenAt(at(2), window, at(5))).toEqual(at(52));
});

it('an entry that is older than all of the oplog is overwritten', () =>
  expect(overwrittenAt(at(1), { since: at(2), size: 100, limit: 100 }, at(5))).toEqual(at(2)));

it('an entry that is there is not overwritten, whatever the rate says', () =>
  expect(overwrittenAt(at(1), { since: at(0), size: 300, limit: 100 }, at(9))).toEqual(at(9)));

it('says nothing where hardly anything is written', () =>
  expect(overwrittenAt(at(1), { since: at(0), size: 1, limit: 1e15 }, at(9))).toBeUndefined());
