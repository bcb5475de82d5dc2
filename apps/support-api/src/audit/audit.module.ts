import { Module } from '@nestjs/common';
import { AuditHeadLog } from './audit-head.js';
import { AuditController } from './audit.controller.js';
import { NamedSubjectsService } from './named-subjects.service.js';

/** Shows the audit log. AuthModule writes it. */
@Module({ controllers: [AuditController], providers: [AuditHeadLog, NamedSubjectsService] })
export class AuditModule {}
