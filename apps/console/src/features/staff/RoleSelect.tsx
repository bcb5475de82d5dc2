import { Select, type SelectProps } from '@mantine/core';
import type { Role } from '../../api/types.js';

const ROLES: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'viewer: read-only' },
  { value: 'support', label: 'support: manages bottles and alerts' },
  { value: 'admin', label: 'admin: also manages staff and API keys, erases bottles' },
];

export function RoleSelect(props: Pick<SelectProps, 'value' | 'error' | 'onChange'>) {
  return <Select label="Role" data={ROLES} {...props} />;
}
