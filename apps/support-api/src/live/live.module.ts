import { Module } from '@nestjs/common';
import { FleetModule } from '../fleet/fleet.module.js';
import { ChangeFeed } from './change-feed.js';
import { EventsController } from './events.controller.js';
import { LiveService } from './live.service.js';

/** Live updates: one change feed, passed on to every page as server-sent events. */
@Module({
  imports: [FleetModule],
  controllers: [EventsController],
  providers: [ChangeFeed, LiveService],
})
export class LiveModule {}
