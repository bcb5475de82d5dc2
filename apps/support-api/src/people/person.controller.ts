import { Body, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited } from '../auth/audited.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { ListMessagesQuery, MessageDto } from '../deliveries/delivery.dto.js';
import { AdherenceQuery, HistoryQuery } from '../history/history.dto.js';
import { Creates } from '../http/creates.js';
import { IdParam, UserIdParam } from '../http/ids.js';
import { GetAll, GetList, GetTable } from '../http/list.js';
import { FormatQuery, type Page } from '../http/paging.js';
import {
  AddNoteDto,
  NoteDto,
  PersonDto,
  PersonsDoseDto,
  PersonsReportDto,
  ReportedBottleDto,
} from './person.dto.js';
import { PersonService } from './person.service.js';
import { MedicationAdherenceDto, PersonsAdherenceDto } from './persons-adherence.dto.js';
import { PersonsAdherenceService } from './persons-adherence.service.js';
import { PersonsMessagesService } from './persons-messages.service.js';
import { PersonsReportService } from './persons-report.service.js';

@StaffController('v1/people/:user_id', 'people', 'viewer')
@Audited({ action: 'person.read', kind: 'contact' })
export class PersonController {
  constructor(
    private readonly person: PersonService,
    private readonly personsMessages: PersonsMessagesService,
    private readonly personsReport: PersonsReportService,
    private readonly personsAdherence: PersonsAdherenceService,
  ) {}

  @ApiOperation({
    summary: 'Returns a person: all their bottles with the doses of today, open alerts, contact and notes',
    description: "Of a bottle that has changed hands, this person's part only.",
  })
  @Get()
  @ApiOkResponse({ type: PersonDto })
  getPerson(@UserIdParam() userId: string): Promise<PersonDto> {
    return this.person.get(userId);
  }

  @ApiOperation({
    summary: 'Lists the doses of all bottles of a person with their outcomes, newest first',
    description: 'Default: of the last four weeks.',
  })
  @GetList(PersonsDoseDto, 'doses')
  listPersonsDoses(
    @UserIdParam() userId: string,
    @Query() query: HistoryQuery,
  ): Promise<Page<PersonsDoseDto>> {
    return this.person.doses(userId, query);
  }

  @ApiOperation({
    summary: 'Lists the notifications about all bottles of a person with their texts, newest first',
    description: 'They are kept for 90 days.',
  })
  @GetList(MessageDto, 'messages')
  listPersonsMessages(
    @UserIdParam() userId: string,
    @Query() query: ListMessagesQuery,
  ): Promise<Page<MessageDto>> {
    return this.personsMessages.list(userId, query);
  }

  @ApiOperation({
    summary: 'Returns a report of a period: adherence with each bottle, and when it could not be measured',
    description:
      'Default: the last four weeks; at most 92 days. `doses` has the doses of the period. CSV has a line for each ' +
      "bottle, with its adherence as measured and with people's word, and the share that rests on that.",
  })
  @GetTable(PersonsReportDto, 'report', { row: ReportedBottleDto, rowsOf: ({ bottles }) => bottles })
  getPersonsReport(@UserIdParam() userId: string, @Query() query: AdherenceQuery): Promise<PersonsReportDto> {
    return this.personsReport.get(userId, query);
  }

  @ApiOperation({
    summary: 'Returns the figures of the taxonomy of adherence by medication, over all bottles of a person',
    description:
      'When the treatment began, the share of days with the prescribed amount, and until when it lasted: as measured, and ' +
      "with people's word. A day counts if each of the bottles that has the day is monitored on it. Default: the last 90 " +
      'days; at most 1,100. CSV has a line for each medication, and one for all together.',
  })
  @GetTable(PersonsAdherenceDto, 'adherence', {
    row: MedicationAdherenceDto,
    rowsOf: ({ medications }) => medications,
  })
  getPersonsAdherence(
    @UserIdParam() userId: string,
    @Query() query: AdherenceQuery,
  ): Promise<PersonsAdherenceDto> {
    return this.personsAdherence.get(userId, query);
  }

  @ApiOperation({ summary: 'Adds a note about a person, for staff' })
  @Post('notes')
  @Audited({ action: 'person.note', kind: 'contact' })
  @Roles('support')
  @Creates(NoteDto)
  addPersonsNote(
    @UserIdParam() userId: string,
    @Body() { text }: AddNoteDto,
    @Caller() caller: Staff,
  ): Promise<NoteDto> {
    return this.person.addNote(userId, text, caller);
  }

  @ApiOperation({ summary: 'Deletes a note about a person or one of their bottles' })
  @Delete('notes/:id')
  @Audited({ action: 'person.delete_note', kind: 'contact' })
  @Roles('support')
  @HttpCode(204)
  @ApiNoContentResponse()
  deletePersonsNote(@UserIdParam() userId: string, @IdParam() id: Types.ObjectId): Promise<void> {
    return this.person.deleteNote(userId, id);
  }
}

@StaffController('v1/bottles/:id/notes', 'bottles', 'viewer')
export class BottleNotesController {
  constructor(private readonly person: PersonService) {}

  @ApiOperation({ summary: 'Lists the notes about a bottle and about its owner, newest first' })
  @GetAll(NoteDto)
  @Audited({ action: 'bottle.read', kind: 'bottle' })
  listBottleNotes(
    @IdParam() id: Types.ObjectId,
    @Query() _query: FormatQuery,
  ): Promise<{ items: NoteDto[] }> {
    return this.person.bottleNotes(id);
  }

  @ApiOperation({ summary: "Adds a note about a bottle, for staff; it is on its owner's page" })
  @Post()
  @Audited({ action: 'bottle.note', kind: 'bottle' })
  @Roles('support')
  @Creates(NoteDto)
  addBottleNote(
    @IdParam() id: Types.ObjectId,
    @Body() { text }: AddNoteDto,
    @Caller() caller: Staff,
  ): Promise<NoteDto> {
    return this.person.addBottleNote(id, text, caller);
  }
}
