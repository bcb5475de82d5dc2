import { useQuery } from '@tanstack/react-query';
import { get } from '../../../api/request.js';
import { useMay } from '../../../api/session.js';
import type { Settings } from '../../../api/schema.js';
import classes from './Contacts.module.css';
import { notSetUpTexts } from './not-set-up.js';

/** What of the service is missing so that messages go out, where an address is entered; nothing if all is there. */
export function NotSetUp() {
  const { data } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => get<Settings>('/v1/settings', { signal }),
    enabled: useMay('support'),
  });
  if (!data) return null;
  const hasPublicUrl = data.settings.some(({ name, value }) => name === 'PUBLIC_URL' && value !== 'not set');
  return notSetUpTexts(data.channels, hasPublicUrl).map((text) => (
    <p key={text} className={classes['warning']}>
      {text}
    </p>
  ));
}
