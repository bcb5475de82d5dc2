import type { Role } from '#persistence';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Who is asking: a person who signed in, or a program with a key. */
export interface Staff {
  kind: 'staff' | 'api_key';
  /** The account's or the key's; `ADMIN_TOKEN` has none but its name. */
  id: string;
  /** Stands in the history of what they do. */
  name: string;
  role: Role;
  /** The session, for who signed in. */
  session?: { id: string; csrf_token: string; expires_at: Date };
}

export interface StaffRequest extends FastifyRequest {
  staff?: Staff;
}

export const FIRST_ADMIN: Staff = { kind: 'api_key', id: 'ADMIN_TOKEN', name: 'ADMIN_TOKEN', role: 'admin' };

/** Names that nobody must have: history would say that someone else did it. */
export const RESERVED_NAMES = ['notifier', FIRST_ADMIN.name];

/** Who is asking, as the guard found. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Staff => context.switchToHttp().getRequest<StaffRequest>().staff!,
);
