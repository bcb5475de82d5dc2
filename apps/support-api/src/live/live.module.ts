import { Module } from '@nestjs/common';
import { ChangeFeed } from './change-feed.js';
import { EventsController } from './events.controller.js';
import { LiveService } from './live.service.js';

/** Live updates: one change feed, passed on to every page as server-sent events. */
@Module({ controllers: [EventsController], providers: [ChangeFeed, LiveService] })
export class LiveModule {}
