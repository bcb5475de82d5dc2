import type { Role } from '#persistence';
import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Roles } from './roles.js';
import { StaffGuard } from './staff.guard.js';

/** A controller for staff: guarded, and open to `role` and above where a route does not say otherwise. */
export function StaffController(path: string, tag: string, role: Role): ClassDecorator {
  return applyDecorators(Controller(path), ApiTags(tag), ApiBearerAuth(), UseGuards(StaffGuard), Roles(role));
}
