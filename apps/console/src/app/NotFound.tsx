import { Link } from '@tanstack/react-router';
import { Trans } from 'react-i18next';
import { PageHead } from '../ui/PageHead.js';
import { t } from '../i18n/i18n.js';

export function NotFound() {
  return (
    <>
      <PageHead title={t('Page not found')} />
      <p>
        <Trans
          i18nKey="Check the address, go to the <fleet>fleet</fleet>, or <find>find a bottle</find>."
          components={{ fleet: <Link to="/" />, find: <Link to="/bottles" /> }}
        />
      </p>
    </>
  );
}
