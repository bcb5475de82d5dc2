import { Module } from '@nestjs/common';
import { AttestationsModule } from '../attestations/attestations.module.js';
import { BottlesModule } from '../bottles/bottles.module.js';
import { LinksController, VerificationController } from './links.controller.js';
import { LinksService } from './links.service.js';
import { VerificationService } from './verification.service.js';

/**
 * The links in messages, by which a recipient acknowledges an alert, says what became of a dose, or confirms an address,
 * without signing in.
 */
@Module({
  imports: [AttestationsModule, BottlesModule],
  controllers: [LinksController, VerificationController],
  providers: [LinksService, VerificationService],
})
export class LinksModule {}
