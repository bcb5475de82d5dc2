import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/request.js';
import { useStaff } from '../../api/session.js';
import type { Alert } from '../../api/schema.js';
import { assign } from './held.js';
import { t } from '../../i18n/i18n.js';

interface Colleague {
  id: string;
  name: string;
}

/** Takes alerts, gives them to a colleague, or back. */
export function AssignMenu({ alerts }: { alerts: readonly Alert[] }) {
  const me = useStaff().id;
  const { data } = useQuery({
    queryKey: ['colleagues'],
    queryFn: ({ signal }) => get<{ items: Colleague[] }>('/v1/staff/colleagues', { signal }),
  });
  const others = (data?.items ?? []).filter(({ id }) => id !== me);
  return (
    <Menu position="bottom-start" keepMounted={false}>
      <Menu.Target>
        <Button variant="default">{t('Assign')}</Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        <Menu.Item onClick={() => assign(alerts, 'me')}>{t('To me')}</Menu.Item>
        {others.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => assign(alerts, id)}>
            {t('To {{name}}', { name })}
          </Menu.Item>
        ))}
        {alerts.some(({ assigned_to }) => assigned_to) && (
          <Menu.Item onClick={() => assign(alerts, 'nobody')}>{t('To nobody')}</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
