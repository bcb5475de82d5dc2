import { Module } from '@nestjs/common';
import { AlarmQualityController } from './alarm-quality.controller.js';
import { AlarmQualityService } from './alarm-quality.service.js';
import { AlertActionsService } from './alert-actions.service.js';
import { AlertViews } from './alert-views.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';
import { ClosingPreviewService } from './closing-preview.service.js';
import { IncidentsService } from './incidents.service.js';

/** Alerts: lists, details, and the actions of staff. */
@Module({
  controllers: [AlertsController, AlarmQualityController],
  providers: [
    AlarmQualityService,
    AlertsService,
    AlertActionsService,
    AlertViews,
    ClosingPreviewService,
    IncidentsService,
  ],
  exports: [AlertsService, AlertViews],
})
export class AlertsModule {}
