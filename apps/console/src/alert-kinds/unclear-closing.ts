import { t } from '../i18n/i18n.js';

/** Why a dose cannot be confirmed though its bottle was closed in its window, as the end of a sentence. */
export function unclearClosingText({ why }: { why?: string }, time: string): string {
  return why === 'filled'
    ? t('the bottle was filled at {{time}}, and no count shows whether pills were taken out then', { time })
    : t('the bottle was closed at {{time}}, and did not report whether pills were taken out', { time });
}
