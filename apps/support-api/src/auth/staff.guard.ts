import { ROLES } from '#persistence';
import { Problem } from '#platform';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Identities } from './identities.js';
import { Roles } from './roles.js';
import type { StaffRequest } from './staff.js';

/** Lets staff in by a session, an API key or ADMIN_TOKEN, if their role is enough for the route. */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(
    private readonly identities: Identities,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<StaffRequest>();
    const staff = await this.identities.of(request);
    const needed =
      this.reflector.getAllAndOverride(Roles, [context.getHandler(), context.getClass()]) ?? 'admin';
    if (ROLES.indexOf(staff.role) < ROLES.indexOf(needed)) {
      throw new Problem(403, 'role_insufficient', `This needs the role ${needed}; yours is ${staff.role}.`);
    }
    request.staff = staff;
    return true;
  }
}
