import type { Instant } from './common.js';

export type Role = 'viewer' | 'support' | 'admin';

export interface Staff {
  id: string;
  email: string;
  name: string;
  role: Role;
}

export interface StaffMember extends Staff {
  disabled: boolean;
  created_at: Instant;
}

export interface ApiKey {
  id: string;
  name: string;
  role: Role;
  created_at: Instant;
}

export interface AuditEntry {
  id: string;
  at: Instant;
  who: { kind: 'staff' | 'api_key' | 'link'; id: string; name: string };
  action: string;
  subject: { kind: string; id: string };
  details?: Record<string, unknown>;
}
