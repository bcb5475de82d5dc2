import { PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get, post } from '../../api/request.js';
import type { OwnSession } from '../../api/schema.js';
import { Moment } from '../../time/Moment.js';
import { FormDialog, useForm } from '../../ui/Form.js';
import { Table } from '../../ui/List.js';
import { notify } from '../../ui/notify.js';
import { Pending } from '../../ui/States.js';
import { t } from '../../i18n/i18n.js';

/** Where the signed-in person is signed in, and a form that ends all of it but this. */
export function Sessions({ onClose }: { onClose: () => void }) {
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => get<{ items: OwnSession[] }>('/v1/session/all', { signal }),
  });
  const { data } = query;
  const { saving, text } = useForm({
    initial: { password: '' },
    save: (values) => post('/v1/session/end-others', values),
    onSaved: () => {
      notify(t('Other sessions ended.'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('Sessions')}
      action={t('End other sessions')}
      disabled={!data || data.items.length < 2}
      saving={saving}
      onClose={onClose}
    >
      {(query.error || !data) && <Pending query={query} lines={2} />}
      {data && (
        <Table
          rows={data.items}
          rowKey={({ id }) => id}
          columns={[
            { title: t('Signed in'), cell: ({ created_at }) => <Moment at={created_at} /> },
            { title: t('Address'), cell: ({ address }) => address ?? t('Unknown') },
            { title: t('Status'), cell: ({ current }) => (current ? t('This one') : t('Active')) },
          ]}
        />
      )}
      <PasswordInput
        label={t('Current password')}
        autoComplete="current-password"
        required
        {...text('password')}
      />
    </FormDialog>
  );
}
