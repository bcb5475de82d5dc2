import { heartbeatGaps } from './gaps.js';

const at = (minutes: number): Date => new Date(Date.UTC(2026, 2, 1, 12) + minutes * 60_000);

describe('the gaps between heartbeats', () => {
  it('are none while the bottle beats, late by less than half an interval', () => {
    expect(heartbeatGaps([at(104), at(60), at(30), at(0)], at(134), at(200))).toEqual([]);
  });

  it('count what should have come, newest first', () => {
    expect(heartbeatGaps([at(345), at(300), at(240), at(0)], at(375), at(380))).toEqual([
      { after: at(300), until: at(345), missed: 1 },
      { after: at(240), until: at(300), missed: 1 },
      { after: at(0), until: at(240), missed: 7 },
    ]);
  });

  it('last when nothing has come since', () => {
    expect(heartbeatGaps([at(30), at(0)], undefined, at(120))).toEqual([{ after: at(30), missed: 2 }]);
    expect(heartbeatGaps([at(30), at(0)], undefined, at(74))).toEqual([]);
  });

  it('are none where nothing has ever come', () => {
    expect(heartbeatGaps([], undefined, at(600))).toEqual([]);
  });
});
