import { Module } from '@nestjs/common';
import { AlertActionsService } from './alert-actions.service.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';
import { ClosingPreviewService } from './closing-preview.service.js';
import { IncidentsService } from './incidents.service.js';

/** Alerts: lists, details, and the actions of staff. */
@Module({
  controllers: [AlertsController],
  providers: [AlertsService, AlertActionsService, ClosingPreviewService, IncidentsService],
  exports: [AlertsService],
})
export class AlertsModule {}
