import { parseSchedule } from '#domain';
import { getMetadataStorage } from 'class-validator';
import { readFileSync } from 'node:fs';
import { ContactDto, EscalationStepDto } from './contact.dto.js';
import { CarerDto, ContactDetailsDto } from './contact-details.dto.js';

const TEXT = readFileSync('docs/reference.md', 'utf8');
const schedules = [...TEXT.matchAll(/```json [^\n]*schedule\n(.*?)```/gs)].map(
  ([, json]) => (JSON.parse(json!) as { schedule: Record<string, unknown> }).schedule,
);

const fieldsOf = (type: new () => object): string[] =>
  getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);

describe('docs/reference.md', () => {
  it.each(schedules)('has an example of $kind, and a row for each of its fields', (schedule) => {
    expect(parseSchedule(schedule)).toMatchObject(schedule);
    for (const field of Object.keys(parseSchedule(schedule))) expect(TEXT).toContain(`| \`${field}\``);
  });

  it.each([ContactDetailsDto, CarerDto, ContactDto, EscalationStepDto])('has every field of %p', (type) => {
    for (const field of fieldsOf(type)) expect(TEXT).toContain(`| \`${field}\``);
  });
});
