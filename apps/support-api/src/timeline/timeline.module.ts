import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { HeartbeatGaps } from './heartbeat-gaps.js';
import { TimelineController } from './timeline.controller.js';
import { TimelineService } from './timeline.service.js';

/** Everything that happened to a bottle, in one list. */
@Module({
  imports: [AlertsModule],
  controllers: [TimelineController],
  providers: [TimelineService, HeartbeatGaps],
})
export class TimelineModule {}
