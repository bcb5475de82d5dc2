import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { ConsoleChannel } from './console.channel.js';

describe('notifications in the log', () => {
  afterEach(() => jest.restoreAllMocks());

  it('name the bottle and no user: a log is not erased with a person', async () => {
    const lines: unknown[] = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void lines.push(line));
    const data = { kind: 'bottle_open', bottle_id: 'b1', user_id: 'ann@users' };
    const notification = { delivery: { _id: 'd1' }, message: { type: 'alert.raised', data } };
    await new ConsoleChannel({} as never).send([notification as never]);
    expect(lines).toEqual(['alert.raised bottle_open bottle=b1 id=d1']);
  });
});
