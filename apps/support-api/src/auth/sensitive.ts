import { Problem } from '#platform';
import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { FIRST_ADMIN, type Staff } from './staff.js';

/** So long after signing in a session may do what is sensitive. Milliseconds. */
export const FRESH_FOR = 5 * 60_000;

type What = 'accounts' | 'data';

export const SensitiveRoute = Reflector.createDecorator<What>();

/**
 * A route of which a stolen session must not make use: a person signs in again for it, with password and second factor,
 * unless they have just done so. `accounts`: API keys cannot use it at all, only people and `ADMIN_TOKEN`; otherwise a
 * key could take over the account of its owner, or outlive its own end. The OpenAPI document has it as `x-sensitive`.
 */
export function Sensitive(what: What): MethodDecorator {
  return applyDecorators(SensitiveRoute(what), ApiExtension('x-sensitive', what));
}

/** @throws Problem 403 `person_required`, `reauthentication_required` */
export function checkSensitive(what: What, { kind, id, session }: Staff, now: Date): void {
  if (what === 'accounts' && kind === 'api_key' && id !== FIRST_ADMIN.id)
    throw new Problem(
      403,
      'person_required',
      'API keys cannot change accounts or make keys. A person who has signed in can.',
    );
  if (session && session.fresh_until <= now)
    throw new Problem(
      403,
      'reauthentication_required',
      'Sign in again: this is allowed for five minutes after signing in.',
    );
}
