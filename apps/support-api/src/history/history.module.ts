import { Module } from '@nestjs/common';
import { AdherenceService } from './adherence.service.js';
import { HistoryController } from './history.controller.js';
import { HistoryService } from './history.service.js';

/** What a bottle reported, its doses, and adherence. */
@Module({ controllers: [HistoryController], providers: [HistoryService, AdherenceService] })
export class HistoryModule {}
