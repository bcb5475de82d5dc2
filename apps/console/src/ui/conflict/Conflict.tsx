import { Button, Radio } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { isProblem } from '../../api/http.js';
import { fieldName } from '../../api/field-names.js';
import { joinList, t } from '../../i18n/i18n.js';
import { Failed, Loading } from '../States.js';
import classes from './Conflict.module.css';
import { compare, type FieldConflict, withTheirs } from './merge.js';

/** What is stored now; null if it is not there any more. */
export interface Latest<T> {
  value: T | null;
  version: string | undefined;
}

interface ConflictProps<T extends object> {
  /** Of the request that saves; nothing is shown unless somebody else was faster. */
  error: Error | null;
  /** What was there when the form was opened. */
  base: T;
  /** What was entered. */
  mine: T;
  read: () => Promise<Latest<T>>;
  isSaving: boolean;
  /** @param version on condition of which it is saved; undefined: as new */
  onSave: (merged: T, version: string | undefined) => void;
}

/**
 * For the second of two people who edit the same thing: shows both versions of each field that both have changed, and
 * saves what is chosen. What only the other has changed stays, and nothing that was typed is lost.
 */
export function Conflict<T extends object>({ error, base, mine, read, isSaving, onSave }: ConflictProps<T>) {
  const [latest, setLatest] = useState<Latest<T>>();
  const [failed, setFailed] = useState<Error>();
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  // after a further change by others, what was seen here is where both began
  const [begun, setBegun] = useState(base);
  const reading = useRef(read);
  reading.current = read;
  const isConflict = isProblem(error, 'changed_meanwhile');
  useEffect(() => {
    setLatest(undefined);
    setFailed(undefined);
    setTheirs(new Set());
    if (!isConflict) return;
    let isOver = false;
    reading.current().then(
      (found) => !isOver && setLatest(found),
      (cause: Error) => !isOver && setFailed(cause),
    );
    return () => {
      isOver = true;
    };
  }, [error, isConflict]);
  if (!isConflict) return null;
  if (failed) return <Failed error={failed} />;
  if (!latest) return <Loading />;
  const { value, version } = latest;
  if (value === null)
    return (
      <section className={classes['conflict']} aria-label={t('Changed meanwhile')}>
        <p>{t('Somebody else has deleted this meanwhile. What you typed can be saved as new.')}</p>
        <Button loading={isSaving} onClick={() => onSave(mine, undefined)}>
          {t('Save as new')}
        </Button>
      </section>
    );
  const found = compare(begun, mine, value);
  const choose = (path: string, isTheirs: boolean): void =>
    setTheirs((before) => new Set(isTheirs ? [...before, path] : [...before].filter((one) => one !== path)));
  const save = (): void => {
    const taken = [...found.theirs.map(({ path }) => path), ...theirs];
    setBegun(value);
    onSave(withTheirs(mine, value, taken), version);
  };
  return (
    <section className={classes['conflict']} aria-label={t('Changed meanwhile')}>
      {found.conflicts.length > 0 && (
        <p>{t('You have both changed these. Choose what is saved; nothing that you typed is lost.')}</p>
      )}
      {found.conflicts.map((conflict) => (
        <Choice
          key={conflict.path}
          conflict={conflict}
          isTheirs={theirs.has(conflict.path)}
          onChoose={(isTheirs) => choose(conflict.path, isTheirs)}
        />
      ))}
      {found.theirs.length > 0 && (
        <p>
          {t('The other’s changes stay: {{fields}}.', {
            fields: joinList(
              found.theirs.map(({ path, value: now }) => `${fieldName(path)}: ${textOf(now)}`),
            ),
          })}
        </p>
      )}
      {found.conflicts.length + found.theirs.length === 0 && (
        <p>{t('They changed something else. What you typed can be saved as it is.')}</p>
      )}
      <Button loading={isSaving} onClick={save}>
        {t('Save both changes')}
      </Button>
    </section>
  );
}

interface ChoiceProps {
  conflict: FieldConflict;
  isTheirs: boolean;
  onChoose: (isTheirs: boolean) => void;
}

function Choice({ conflict: { path, mine, theirs }, isTheirs, onChoose }: ChoiceProps) {
  const name = fieldName(path);
  return (
    <Radio.Group
      label={`${name.charAt(0).toUpperCase()}${name.slice(1)}`}
      value={isTheirs ? 'theirs' : 'mine'}
      onChange={(value) => onChoose(value === 'theirs')}
    >
      <Radio value="mine" label={t('Yours: {{value}}', { value: textOf(mine) })} />
      <Radio value="theirs" label={t('Theirs: {{value}}', { value: textOf(theirs) })} />
    </Radio.Group>
  );
}

/** A value as people read it: `08:00, 20:00`. */
function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return t('empty');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (Array.isArray(value)) return value.length === 0 ? t('empty') : value.map(textOf).join(', ');
  if (typeof value === 'object') return Object.values(value).map(textOf).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
