import { ApiKeysRepository, type Role, ROLES } from '#persistence';
import { bearerToken, hashToken, Problem, sameSecret } from '#platform';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { SupportApiConfig } from '../config.js';
import { Roles } from './roles.js';

/** Who is asking. The name goes into the history of what they do. */
export interface Staff {
  name: string;
  role: Role;
}

interface StaffRequest extends FastifyRequest {
  staff?: Staff;
}

const FIRST_ADMIN: Staff = { name: 'ADMIN_TOKEN', role: 'admin' };

/** Names that an API key must not have: history would say that someone else did it. */
export const RESERVED_NAMES = ['notifier', FIRST_ADMIN.name];

/** Lets staff in by an API key or by ADMIN_TOKEN, if their role is enough for the route. */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly config: SupportApiConfig,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<StaffRequest>();
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) throw new Problem(401, 'token_missing', 'Send an API key as a bearer token.');
    const staff = await this.identify(token);
    const needed =
      this.reflector.getAllAndOverride(Roles, [context.getHandler(), context.getClass()]) ?? 'admin';
    if (ROLES.indexOf(staff.role) < ROLES.indexOf(needed)) {
      throw new Problem(403, 'role_insufficient', `This needs the role ${needed}; yours is ${staff.role}.`);
    }
    request.staff = staff;
    return true;
  }

  private async identify(token: string): Promise<Staff> {
    const admin = this.config.ADMIN_TOKEN;
    if (admin !== undefined && sameSecret(token, admin)) return FIRST_ADMIN;
    const key = await this.keys.findByHash(hashToken(token));
    if (!key) throw new Problem(401, 'token_unknown', 'This is no API key.');
    return { name: key.name, role: key.role };
  }
}

/** Who is asking, as the guard found. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Staff => context.switchToHttp().getRequest<StaffRequest>().staff!,
);
