import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { get, put, remove } from '../../api/request.js';
import type { StaffBrowser, StaffBrowsers } from '../../api/schema.js';
import { Moment } from '../../time/Moment.js';
import { FormDialog } from '../../ui/Form.js';
import { Table } from '../../ui/List.js';
import { notify, notifyError } from '../../ui/notify.js';
import { Pending } from '../../ui/States.js';
import { t } from '../../i18n/i18n.js';
import { canShow, idOfThisBrowser, subscribe } from './show-in-browser.js';

const KEY = ['browsers'];
const PATH = '/v1/session/browsers';

/** The signed-in person's browsers that show what the operator is sent, also while no page is open. */
export function Browsers({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [isDenied, setDenied] = useState(false);
  const query = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => ({
      ...(await get<StaffBrowsers>(PATH, { signal })),
      own: await idOfThisBrowser(),
    }),
  });
  const { data } = query;
  const adding = useMutation({
    mutationFn: async () => {
      const subscribed = await subscribe(data!.push_key!);
      setDenied(!subscribed);
      if (!subscribed) return;
      await put<StaffBrowsers>(PATH, subscribed);
      notify(t('This browser shows messages from now on.'));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
  const isShown = data?.items.some(({ id }) => id === data.own) ?? false;
  return (
    <FormDialog
      title={t('Messages in the browser')}
      action={t('Show in this browser')}
      disabled={!data || data.push_key === null || !canShow || isShown}
      saving={adding}
      onClose={onClose}
    >
      <p>
        {t(
          'These browsers show what the operator is sent of alerts, by title, also while the console is closed. They are yours: nobody else gets fewer messages for it.',
        )}
      </p>
      {(query.error || !data) && <Pending query={query} lines={2} />}
      {data && (
        <Table
          rows={data.items}
          rowKey={({ id }) => id}
          columns={[
            { title: t('Browser'), cell: ({ id, name }) => nameOf(name, id === data.own) },
            { title: t('Since'), cell: ({ since }) => <Moment at={since} /> },
            {
              title: t('Actions'),
              hiddenTitle: true,
              as: 'number',
              cell: (browser) => <RemoveButton browser={browser} />,
            },
          ]}
        />
      )}
      {data?.push_key === null && <p>{t('PUSH_KEY is not set: no browser can show messages.')}</p>}
      {!canShow && <p>{t('This browser cannot show messages.')}</p>}
      {isDenied && (
        <p role="alert">{t('The browser does not allow it. Change that in its settings for this page.')}</p>
      )}
    </FormDialog>
  );
}

const nameOf = (name: string, isThis: boolean): string =>
  isThis ? t('{{name}} (this one)', { name }) : name;

function RemoveButton({ browser: { id, name } }: { browser: StaffBrowser }) {
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: () => remove(PATH, { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
    onError: notifyError,
  });
  return (
    <Button
      variant="default"
      loading={removal.isPending}
      onClick={() => removal.mutate()}
      aria-label={t('Remove {{name}}', { name })}
    >
      {t('Remove')}
    </Button>
  );
}
