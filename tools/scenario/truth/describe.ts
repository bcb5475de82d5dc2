import type { ExpectedMessage } from '../file/format.js';
import type { LoggedMessage } from '../message-log.js';

/** A received message, with its bottle's name in the file. */
export type ReceivedMessage = Omit<LoggedMessage, 'bottle_id'> & { bottle: string };

export function describeMessage({
  at,
  bottle,
  kind,
  event,
  channel,
  to,
}: Omit<ReceivedMessage, 'content'>): string {
  return `${at.toISOString()} bottle ${bottle}: ${kind} ${event} by ${channel} to ${to}`;
}

export function describeExpected({
  bottle,
  kind,
  event,
  channel,
  to,
  after,
  before,
  says,
}: ExpectedMessage): string {
  return [
    `bottle ${bottle ?? 'any'}: ${kind ?? 'any kind'} ${event ?? 'any event'} by ${channel ?? 'any channel'}`,
    ...(to === undefined ? [] : [`to ${to}`]),
    ...(after ? [`from ${after.toISOString()}`] : []),
    ...(before ? [`to ${before.toISOString()}`] : []),
    ...(says ? [`saying ${JSON.stringify(says)}`] : []),
  ].join(' ');
}
