import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.js';
import { t } from '../../i18n/i18n.js';
import classes from './AuditPage.module.css';

/** To who looked at a record and who changed it, for those who may read the audit log. */
export function AuditLink({
  subject: { kind, id },
}: {
  subject: { kind: 'bottle' | 'contact'; id: string };
}) {
  return (
    useMay('support') && (
      <Link to="/audit" search={{ subject: `${kind}:${id}` }} className={classes['link']}>
        {t('Viewed and changed by')}
      </Link>
    )
  );
}
