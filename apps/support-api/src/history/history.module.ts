import { Module } from '@nestjs/common';
import { AttestationsModule } from '../attestations/attestations.module.js';
import { BottlesModule } from '../bottles/bottles.module.js';
import { AdherenceService } from './adherence.service.js';
import { FleetAdherenceController } from './fleet-adherence.controller.js';
import { FleetAdherenceService } from './fleet-adherence.service.js';
import { HistoryController } from './history.controller.js';
import { HistoryService } from './history.service.js';

/** What a bottle reported, its doses, and adherence. */
@Module({
  imports: [AttestationsModule, BottlesModule],
  controllers: [HistoryController, FleetAdherenceController],
  providers: [HistoryService, AdherenceService, FleetAdherenceService],
  exports: [AdherenceService],
})
export class HistoryModule {}
