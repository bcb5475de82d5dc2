import { Select, type SelectProps } from '@mantine/core';
import type { Role } from '../../api/vocabulary.js';
import { t } from '../../i18n/i18n.js';

const ROLES: { value: Role; label: string }[] = [
  { value: 'viewer', label: t('viewer: read-only') },
  { value: 'support', label: t('support: manages bottles and alerts') },
  { value: 'admin', label: t('admin: also manages staff and API keys, erases bottles') },
];

export function RoleSelect(props: Pick<SelectProps, 'value' | 'error' | 'onChange'>) {
  return <Select label={t('Role')} data={ROLES} {...props} />;
}
