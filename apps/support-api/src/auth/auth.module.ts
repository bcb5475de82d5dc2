import { Global, Module } from '@nestjs/common';
import { AuditLog } from './audit-log.js';
import { Identities } from './identities.js';
import { Refusals } from './refusals.js';

/** Who sends a request, and the record of what they did: every staff controller needs both. */
@Global()
@Module({ providers: [Identities, AuditLog, Refusals], exports: [Identities, AuditLog, Refusals] })
export class AuthModule {}
