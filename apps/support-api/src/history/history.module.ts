import { Module } from '@nestjs/common';
import { AttestationsModule } from '../attestations/attestations.module.js';
import { AdherenceService } from './adherence.service.js';
import { HistoryController } from './history.controller.js';
import { HistoryService } from './history.service.js';

/** What a bottle reported, its doses, and adherence. */
@Module({
  imports: [AttestationsModule],
  controllers: [HistoryController],
  providers: [HistoryService, AdherenceService],
  exports: [AdherenceService],
})
export class HistoryModule {}
