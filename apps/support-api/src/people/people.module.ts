import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { BottlesModule } from '../bottles/bottles.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { HistoryModule } from '../history/history.module.js';
import { BottleNotesController, PersonController } from './person.controller.js';
import { PersonService } from './person.service.js';
import { PersonsAdherenceService } from './persons-adherence.service.js';
import { PersonsBottles } from './persons-bottles.js';
import { PersonsMessagesService } from './persons-messages.service.js';
import { PersonsReportService } from './persons-report.service.js';

/** A person across all their bottles. */
@Module({
  imports: [AlertsModule, BottlesModule, ContactsModule, DeliveriesModule, HistoryModule],
  controllers: [PersonController, BottleNotesController],
  providers: [
    PersonService,
    PersonsAdherenceService,
    PersonsBottles,
    PersonsMessagesService,
    PersonsReportService,
  ],
})
export class PeopleModule {}
