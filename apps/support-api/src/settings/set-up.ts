import { isEndpointChannel, WEBHOOK } from '#domain';

/**
 * Whether all notifiers send over a channel; null if none runs. An endpoint is set up by whoever has added it.
 *
 * @param notifiers the channels of each
 */
export function isSetUp(channel: string, notifiers: readonly string[][]): boolean | null {
  if (notifiers.length === 0) return null;
  const isAdded = isEndpointChannel(channel) && channel !== WEBHOOK;
  return isAdded || notifiers.every((channels) => channels.includes(channel));
}
