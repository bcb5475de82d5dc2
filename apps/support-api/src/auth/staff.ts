import type { Role } from '#persistence';
import { Problem } from '#platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Types } from 'mongoose';
import type { Requirement } from './requirements.js';

/** The caller: a person who signed in, or a program with an API key. */
export interface Staff {
  kind: 'staff' | 'api_key';
  /** Of the account or the key; `ADMIN_TOKEN` has only its name. */
  id: string;
  /** Recorded with every action. */
  name: string;
  role: Role;
  /** The client's IP address. */
  address?: string;
  /** For a person who signed in. */
  session?: {
    id: string;
    csrf_token: string;
    expires_at: Date;
    /** Until then the person may do what is sensitive. */
    fresh_until: Date;
    required: Requirement[];
  };
}

export interface StaffRequest extends FastifyRequest {
  staff?: Staff;
}

export const FIRST_ADMIN: Staff = { kind: 'api_key', id: 'ADMIN_TOKEN', name: 'ADMIN_TOKEN', role: 'admin' };

/** Names that nobody may have: the history would name the wrong actor. */
export const RESERVED_NAMES = ['notifier', FIRST_ADMIN.name];

/** The caller, as the guard identified them. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Staff => context.switchToHttp().getRequest<StaffRequest>().staff!,
);

/** The account of a person who signed in. @throws Problem 404 for an API key */
export function ownAccount({ id, session }: Staff): Types.ObjectId {
  if (!session) throw Problem.notFound('session');
  return new Types.ObjectId(id);
}
