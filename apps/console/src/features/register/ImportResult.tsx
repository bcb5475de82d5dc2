import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { joinList, numberText, t } from '../../i18n/i18n.js';
import { errorText } from '../../errors/error-text.js';
import { DownloadIcon } from '../../ui/icons.js';
import { Panel } from '../../ui/Panel.js';
import { Unsaved } from '../../ui/Unsaved.js';
import { NotSetUp } from '../bottle/contacts/NotSetUp.js';
import { bottleText } from '../bottle/names.js';
import { Warnings } from '../bottle/schedule/Warnings.js';
import { tokensCsv } from './import/csv-files.js';
import { forgetImport } from './import/progress.js';
import type { Created, ImportState, SavedContact } from './import/useImport.js';
import classes from './RegisterPage.module.css';

/** Of a list, so many are shown. */
const MOST_SHOWN = 20;

/** A file with the tokens. */
export function TokensLink({
  created,
  label,
  onClick,
}: {
  created: readonly Created[];
  label: string;
  onClick?: () => void;
}) {
  return (
    <Button
      component="a"
      href={`data:text/csv,${encodeURIComponent(tokensCsv(created))}`}
      download="tokens.csv"
      onClick={onClick}
      leftSection={<DownloadIcon />}
    >
      {label}
    </Button>
  );
}

/** How many contacts were made; of the others, why not. */
function SavedContacts({ contacts }: { contacts: readonly SavedContact[] }) {
  if (contacts.length === 0) return null;
  const count = (result: 'made' | 'kept'): number => contacts.filter((one) => one.result === result).length;
  const failed = contacts.flatMap(({ result, ...one }) =>
    result instanceof Error ? [{ ...one, result }] : [],
  );
  return (
    <div className={classes['done']}>
      <p>{t('{{count, number}} contacts saved', { count: count('made') })}</p>
      {count('kept') > 0 && (
        <p>
          {t('{{count, number}} people had a contact already, which stays as it is.', {
            count: count('kept'),
          })}
        </p>
      )}
      {failed.length > 0 && (
        <ul role="alert" aria-label={t('Contacts that were not saved')}>
          {failed.map(({ line, user_id, result }) => (
            <li key={user_id}>
              {t('Line {{line}}:', { line })}{' '}
              <Link to="/people/$userId" params={{ userId: user_id }}>
                {user_id}
              </Link>{' '}
              {errorText(result)}
            </li>
          ))}
        </ul>
      )}
      <NotSetUp />
    </div>
  );
}

/** The new bottles; their tokens are shown only now. */
export function ImportResult({
  state: { created, lost, contacts },
  onReset,
}: {
  state: ImportState;
  onReset: () => void;
}) {
  const [seen, setSeen] = useState(created.length === 0);
  const warned = created.filter(({ warnings }) => warnings.length > 0);
  const onSeen = (): void => {
    setSeen(true);
    forgetImport();
  };
  return (
    <Panel title={t('{{count, number}} bottles registered', { count: created.length })}>
      <p className={classes['done']}>
        {t('The device tokens are shown only once. Download them before you leave this page.')}
      </p>
      {lost.length > 0 && (
        <p className={classes['done']} role="alert">
          {t(
            'Lines {{lines}} were registered in an earlier session: their tokens cannot be shown any more. Replace the token on each bottle’s page.',
            { lines: joinList(lost.map(([first, last]) => `${first}–${last}`)) },
          )}
        </p>
      )}
      <div className={`${classes['buttons']} ${classes['done']}`}>
        <TokensLink created={created} label={t('Download tokens')} onClick={onSeen} />
        {!seen && (
          <Unsaved text={t('The device tokens are shown only now, and you have not downloaded them.')} />
        )}
        <Button variant="default" disabled={!seen} onClick={onReset}>
          {t('Import more')}
        </Button>
      </div>
      <SavedContacts contacts={contacts} />
      {warned.length > 0 && <p>{t('Doses of these schedules cannot be judged well:')}</p>}
      {warned.slice(0, MOST_SHOWN).map(({ line, bottle_id, row, warnings }) => (
        <div key={bottle_id} className={classes['done']}>
          {t('Line {{line}}:', { line })} {row && `${row.medication} · ${row.user_id}`}{' '}
          <Warnings warnings={warnings} />
        </div>
      ))}
      {warned.length > MOST_SHOWN && (
        <p>{t('and {{amount}} more', { amount: numberText(warned.length - MOST_SHOWN) })}</p>
      )}
      <ul className={classes['quiet']}>
        {created.slice(0, MOST_SHOWN).map(({ line, bottle_id, row }) => (
          <li key={bottle_id}>
            {t('Line {{line}}:', { line })}{' '}
            <Link to="/bottles/$bottleId" params={{ bottleId: bottle_id }}>
              {row ? bottleText({ medication: row.medication, label: row.label || null }) : bottle_id}
            </Link>
            {row && ` · ${row.user_id}`}
          </li>
        ))}
        {created.length > MOST_SHOWN && (
          <li>{t('and {{amount}} more', { amount: numberText(created.length - MOST_SHOWN) })}</li>
        )}
      </ul>
    </Panel>
  );
}
