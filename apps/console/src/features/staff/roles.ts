import type { Role } from '../../api/types.js';

export const ROLES: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'viewer: looks' },
  { value: 'support', label: 'support: takes care of bottles and alerts' },
  { value: 'admin', label: 'admin: erases, and decides who may what' },
];
