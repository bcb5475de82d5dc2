import { type Role, ROLES } from '#persistence';
import { Clock, Problem } from '#platform';
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
import { ApiBearerAuth, ApiExtension, ApiTags } from '@nestjs/swagger';
import { AuditInterceptor } from './audited.js';
import { wantsCsv } from '../http/csv.js';
import { Refusals } from './refusals.js';
import type { Requirement } from './requirements.js';
import { checkSensitive, SensitiveRoute } from './sensitive.js';
import type { Staff, StaffRequest } from './staff.js';

const LowestRole = Reflector.createDecorator<Role>();

/**
 * The lowest role that may use a route, or every route of a controller. Without it, only an admin may. The OpenAPI document
 * has it as `x-role`.
 */
export function Roles(role: Role): ClassDecorator & MethodDecorator {
  return applyDecorators(LowestRole(role), ApiExtension('x-role', role));
}

/** A controller that people use before they have done what is required of them. */
export const DuringSetup = Reflector.createDecorator<true>();

const FIRST: Record<Requirement, [status: number, code: string, detail: string]> = {
  password_change: [
    403,
    'password_change_required',
    'Change your password first: someone else has chosen it.',
  ],
  second_factor: [403, 'second_factor_required', 'Set up a second factor first.'],
};

/** Admits staff whose role is sufficient for the route. They were identified before their request's body was read. */
@Injectable()
class StaffGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly refusals: Refusals,
    private readonly clock: Clock,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<StaffRequest>();
    const { staff } = request;
    if (!staff) throw new Error('the route does not identify its callers');
    try {
      this.checkRole(context, request, staff);
    } catch (error) {
      this.refusals.note(request, error, staff);
      throw error;
    }
    return true;
  }

  /** A whole list as a file leaves the building: viewers read it page by page, and a stolen session does not get it. */
  private checkRole(context: ExecutionContext, request: StaffRequest, staff: Staff): void {
    const { role, session } = staff;
    const route =
      this.reflector.getAllAndOverride(LowestRole, [context.getHandler(), context.getClass()]) ?? 'admin';
    const needed = route === 'viewer' && wantsCsv(request) ? 'support' : route;
    if (ROLES.indexOf(role) < ROLES.indexOf(needed))
      throw new Problem(403, 'role_insufficient', `This needs the role ${needed}; yours is ${role}.`);
    const [requirement] = session?.required ?? [];
    if (requirement && !this.reflector.get(DuringSetup, context.getClass()))
      throw new Problem(...FIRST[requirement]);
    const given = this.reflector.get(SensitiveRoute, context.getHandler());
    const sensitive = given ?? (wantsCsv(request) ? 'data' : undefined);
    if (sensitive) checkSensitive(sensitive, staff, this.clock.now());
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
