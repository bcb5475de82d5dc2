import { Types } from 'mongoose';
import { labelOf } from './label-of.js';

describe('the label of the bottle of an alert', () => {
  const bottle_id = new Types.ObjectId();
  const label = (bottle: { user_id: string; label?: string }) =>
    labelOf({ bottle_id, user_id: 'will' }, new Map([[bottle_id.toHexString(), bottle]]));

  it('is that of the bottle', () => expect(label({ user_id: 'will', label: 'blue' })).toBe('blue'));

  it('is none without one, and of a bottle that was erased', () => {
    expect(label({ user_id: 'will' })).toBeUndefined();
    expect(label({ user_id: 'will', label: '' })).toBeUndefined();
    expect(labelOf({ bottle_id, user_id: 'will' }, new Map())).toBeUndefined();
  });

  it('is none of a bottle that is another person’s by now', () =>
    expect(label({ user_id: 'anna', label: 'blue' })).toBeUndefined());
});
