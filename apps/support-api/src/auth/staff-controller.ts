import type { Role } from '#persistence';
import { applyDecorators, Controller, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { AuditInterceptor } from '../audit/audit.interceptor.js';
import { Roles } from './roles.js';
import { StaffGuard } from './staff.guard.js';

/** A controller for staff: guarded, what it changes written down, and open to `role` and above where a route does not say otherwise. */
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
