import type { ExpectedMessage } from '../file/format.js';
import type { HeardMessage } from '../receivers/message-log.js';

/** A message as it was received, with the file's name of its bottle. */
export type ToldMessage = Omit<HeardMessage, 'bottle_id'> & { bottle: string };

export function describeTold({ at, bottle, kind, event, channel }: ToldMessage): string {
  return `${at.toISOString()} bottle ${bottle}: ${kind} ${event} by ${channel}`;
}

export function describeExpected({ bottle, kind, event, channel, after, before }: ExpectedMessage): string {
  return [
    `bottle ${bottle ?? 'any'}: ${kind ?? 'any kind'} ${event ?? 'any event'} by ${channel ?? 'any channel'}`,
    ...(after ? [`from ${after.toISOString()}`] : []),
    ...(before ? [`to ${before.toISOString()}`] : []),
  ].join(' ');
}
