import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { post } from '../../../api/request.js';
import { useRequestKeys } from '../../../api/request-key.js';
import { useMay } from '../../../api/session.js';
import type { Attestor } from '../../../api/vocabulary.js';
import { useKeys } from '../../../app/keys.js';
import { notify, notifyError } from '../../../ui/notify.js';
import { SKIP_REASONS } from '../reported-text.js';
import { AttestDialog, type AttestedDose } from './AttestDialog.js';
import { ATTESTORS } from './AttestedBy.js';
import { t } from '../../../i18n/i18n.js';

const NO_KEYS = {};

interface AttestMenuProps {
  bottleId: string;
  dose: AttestedDose;
  /** The dose, by its time and if need be its medication. */
  name: string;
  /** Whether `r` opens it. */
  hasKey?: boolean;
}

/**
 * Records what somebody says became of a dose, or withdraws it: two clicks, or a dialog for all that they say. Nothing
 * for those who may only look.
 */
export function AttestMenu({ bottleId, dose, name, hasKey = false }: AttestMenuProps) {
  const [attested_by, setAttestedBy] = useState<Attestor>('user');
  const [details, setDetails] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const mayRecord = useMay('support');
  useKeys(
    useMemo(() => {
      const open = (): void => {
        // where the focus is when the menu closes
        button.current?.focus();
        button.current?.click();
      };
      // after the key's own event, in which the menu would close again
      return hasKey && mayRecord ? { r: () => void setTimeout(open) } : NO_KEYS;
    }, [hasKey, mayRecord]),
  );
  const path = `/v1/bottles/${bottleId}/attestations`;
  const { scheduled_at, pills_taken, reported } = dose;
  const keys = useRequestKeys();
  const recording = useMutation({
    mutationFn: (statement: object) => {
      const sent = { scheduled_at, ...statement, attested_by };
      return post(path, sent, keys.keyFor([path, sent]));
    },
    onSuccess: () => {
      keys.saved();
      notify(t('Recorded.'));
    },
    onError: notifyError,
  });
  const withdrawal = useMutation({
    mutationFn: (id: string) => post(`${path}/${id}/withdraw`, { attested_by }),
    onSuccess: () => notify(t('Withdrawn.')),
    onError: notifyError,
  });
  const attest = (statement: object) => () => recording.mutate(statement);
  const isPending = recording.isPending || withdrawal.isPending;
  const label = t('Record what people say about the dose of {{time}}', { time: name });
  if (!mayRecord) return null;
  return (
    <>
      <Menu position="bottom-end" width={232}>
        <Menu.Target>
          <Button ref={button} size="compact-xs" variant="default" loading={isPending} aria-label={label}>
            {t('Record')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {/* a menu holds items and groups of them, no other control */}
          <div role="group" aria-label={t('Reported by')}>
            <Menu.RadioGroup value={attested_by} onChange={(value) => setAttestedBy(value as Attestor)}>
              {ATTESTORS.map(({ value, label: who }) => (
                <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
                  {who}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </div>
          <Menu.Divider />
          <Menu.Item data-autofocus onClick={attest({ kind: 'taken' })}>
            {t('Taken')}
          </Menu.Item>
          <Menu.Item onClick={attest({ kind: 'taken', source: 'elsewhere' })}>
            {t('Taken from elsewhere')}
          </Menu.Item>
          {[...SKIP_REASONS].map(([reason, label]) => (
            <Menu.Item key={reason} onClick={attest({ kind: 'skipped', reason })}>
              {t('Skipped: {{reason}}', { reason: label })}
            </Menu.Item>
          ))}
          {pills_taken > 0 && (
            <Menu.Item onClick={attest({ kind: 'not_taken' })}>{t('Not taken: removed for later')}</Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item onClick={() => setDetails(true)}>{t('With details…')}</Menu.Item>
          {reported && (
            <Menu.Item onClick={() => withdrawal.mutate(reported.id)}>
              {t('Withdraw what was recorded')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {details && (
        <AttestDialog
          {...{ bottleId, dose }}
          title={t('Dose of {{name}}', { name })}
          attestedBy={attested_by}
          onClose={() => setDetails(false)}
        />
      )}
    </>
  );
}
