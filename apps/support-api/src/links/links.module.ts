import { Module } from '@nestjs/common';
import { AttestationsModule } from '../attestations/attestations.module.js';
import { BottlesModule } from '../bottles/bottles.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DoseAnswers } from './dose-answers.js';
import { FollowedLinks } from './followed-links.js';
import { HelpAnswers } from './help-answers.js';
import { LinkAudit } from './link-audit.js';
import { LinksController, StopController, VerificationController } from './links.controller.js';
import { LinksService } from './links.service.js';
import { PageInterceptor } from './page.js';
import { PillboxAnswers } from './pillbox-answers.js';
import { StopService } from './stop.service.js';
import { VerificationService } from './verification.service.js';

/**
 * The links in messages, by which a recipient acknowledges an alert, says what became of a dose, confirms an address or
 * stops messages to it, without signing in.
 */
@Module({
  imports: [AttestationsModule, BottlesModule, ContactsModule],
  controllers: [LinksController, VerificationController, StopController],
  providers: [
    DoseAnswers,
    FollowedLinks,
    HelpAnswers,
    LinkAudit,
    LinksService,
    PageInterceptor,
    PillboxAnswers,
    StopService,
    VerificationService,
  ],
  exports: [DoseAnswers, FollowedLinks, HelpAnswers, LinkAudit],
})
export class LinksModule {}
