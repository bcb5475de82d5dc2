import { type Role, ROLES } from '#persistence';
import { Problem } from '#platform';
import {
  applyDecorators,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Injectable,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { AuditInterceptor } from './audited.js';
import { Identities } from './identities.js';
import type { Requirement } from './requirements.js';
import type { StaffRequest } from './staff.js';

/** The lowest role that may use a route, or every route of a controller. Without it, only an admin may. */
export const Roles = Reflector.createDecorator<Role>();

/** A controller that people use before they have done what is required of them. */
export const DuringSetup = Reflector.createDecorator<true>();

const FIRST: Record<Requirement, string> = {
  password_change: 'Change your password first: someone else has chosen it.',
  second_factor: 'Set up a second factor first.',
};

/** Admits staff with a session, an API key or ADMIN_TOKEN, if their role is sufficient for the route. */
@Injectable()
class StaffGuard implements CanActivate {
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
    const [requirement] = staff.session?.required ?? [];
    if (requirement && !this.reflector.get(DuringSetup, context.getClass()))
      throw new Problem(403, `${requirement}_required`, FIRST[requirement]);
    request.staff = staff;
    return true;
  }
}

/** A controller for staff: authenticated, audited, and open to `role` and above unless a route says otherwise. */
export function StaffController(path: string, tag: string, role: Role): ClassDecorator {
  return applyDecorators(
    Controller(path),
    ApiTags(tag),
    ApiBearerAuth(),
    UseGuards(StaffGuard),
    UseInterceptors(AuditInterceptor),
    Roles(role),
  );
}
