import { AddressLimit, Clock } from '#platform';
import { Global, Module } from '@nestjs/common';
import { SupportApiConfig } from '../config.js';
import { AuditLog } from './audit-log.js';
import { Identities } from './identities.js';
import { Refusals } from './refusals.js';

/** Who sends a request, and the record of what they did: every staff controller needs both. */
@Global()
@Module({
  providers: [
    Identities,
    AuditLog,
    Refusals,
    {
      provide: AddressLimit,
      useFactory: ({ WRONG_TOKEN_LIMIT }: SupportApiConfig, clock: Clock) =>
        new AddressLimit(WRONG_TOKEN_LIMIT, clock),
      inject: [SupportApiConfig, Clock],
    },
  ],
  exports: [Identities, AuditLog, Refusals, AddressLimit],
})
export class AuthModule {}
