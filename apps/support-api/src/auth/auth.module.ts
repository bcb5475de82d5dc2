import { AddressLimit, Clock } from '#platform';
import { Global, Module } from '@nestjs/common';
import { SupportApiConfig } from '../config.js';
import { AuditLog } from './audit-log.js';
import { CallerLimits } from './caller-limits.js';
import { CredentialLookups } from './credential-lookups.js';
import { Identities } from './identities.js';
import { Refusals } from './refusals.js';

/** Of unknown tokens, for one address. */
const LOOKUPS_AT_ONCE = 100;

/** Who sends a request, and the record of what they did: every staff controller needs both. */
@Global()
@Module({
  providers: [
    CredentialLookups,
    CallerLimits,
    Identities,
    AuditLog,
    Refusals,
    {
      provide: AddressLimit,
      useFactory: ({ WRONG_TOKEN_LIMIT }: SupportApiConfig, clock: Clock) =>
        new AddressLimit(WRONG_TOKEN_LIMIT, clock, LOOKUPS_AT_ONCE),
      inject: [SupportApiConfig, Clock],
    },
  ],
  exports: [CallerLimits, Identities, AuditLog, Refusals, AddressLimit],
})
export class AuthModule {}
