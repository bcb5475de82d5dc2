import { Global, Module } from '@nestjs/common';
import { AuditLog } from './audited.js';
import { Identities } from './identities.js';

/** Who sends a request, and the record of what they did: every staff controller needs both. */
@Global()
@Module({ providers: [Identities, AuditLog], exports: [Identities, AuditLog] })
export class AuthModule {}
