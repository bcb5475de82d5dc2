import { t } from '../i18n/i18n.js';

/** The page before it is known who is signed in; index.html has the same before the scripts have run. */
export function Skeleton() {
  return (
    <div className="skeleton" role="status" aria-label={t('Loading')}>
      <div />
      <div>
        <span />
        <span />
        <span />
      </div>
    </div>
  );
}
