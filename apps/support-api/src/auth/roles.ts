import type { Role } from '#persistence';
import { Reflector } from '@nestjs/core';

/** The least role that a route, or a controller's every route, asks for. A route that says nothing is an admin's. */
export const Roles = Reflector.createDecorator<Role>();
