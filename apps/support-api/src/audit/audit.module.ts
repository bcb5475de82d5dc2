import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';

/** Shows the audit log. AuthModule writes it. */
@Module({ controllers: [AuditController] })
export class AuditModule {}
