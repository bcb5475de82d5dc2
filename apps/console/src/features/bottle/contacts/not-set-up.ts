import { channelName } from '../../../channels.js';
import { joinList, t } from '../../../i18n/i18n.js';

/**
 * What is missing so that messages go out and can be answered.
 *
 * @param channels those of contacts; `set_up` is null while no notifier runs
 */
export function notSetUpTexts(
  channels: readonly { channel: string; set_up: boolean | null }[],
  hasPublicUrl: boolean,
): string[] {
  const missing = channels
    .filter(({ set_up }) => set_up === false)
    .map(({ channel }) => channelName(channel));
  return [
    ...(channels.some(({ set_up }) => set_up === null)
      ? [t('No notifier is running: nothing is sent.')]
      : []),
    ...(missing.length > 0
      ? [t('Not set up, so that nothing is sent over it: {{channels}}.', { channels: joinList(missing) })]
      : []),
    ...(hasPublicUrl ? [] : [t('PUBLIC_URL is not set: messages have no link to answer by.')]),
  ];
}
