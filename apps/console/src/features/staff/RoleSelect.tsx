import { Select } from '@mantine/core';
import type { Role } from '../../api/types.js';

const ROLES: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'viewer: read-only' },
  { value: 'support', label: 'support: manages bottles and alerts' },
  { value: 'admin', label: 'admin: also manages staff and API keys, erases bottles' },
];

interface RoleSelectProps {
  role: Role;
  error?: string | undefined;
  onChange: (role: Role) => void;
}

export function RoleSelect({ role, error, onChange }: RoleSelectProps) {
  return (
    <Select
      label="Role"
      data={ROLES}
      value={role}
      error={error}
      onChange={(value) => onChange(value ?? role)}
    />
  );
}
