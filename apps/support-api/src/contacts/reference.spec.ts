import { parseSchedule } from '#domain';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { readFileSync } from 'node:fs';
import { ContactDetailsDto, ContactDto, EscalationStepDto } from './contact.dto.js';

const TEXT = readFileSync('docs/reference.md', 'utf8');
const examples = [...TEXT.matchAll(/```json\n(.*?)```/gs)].map(
  ([, json]) => JSON.parse(json!) as Record<string, unknown>,
);

const fieldsOf = (type: new () => object): string[] =>
  getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);

describe('docs/reference.md', () => {
  it.each(examples.filter(({ kind }) => kind !== undefined))(
    'has an example of $kind that is accepted',
    (schedule) => {
      expect(parseSchedule(schedule)).toMatchObject(schedule);
      for (const field of Object.keys(parseSchedule(schedule))) expect(TEXT).toContain(`| \`${field}\``);
    },
  );

  it('has an example of a contact that is accepted', () => {
    const contacts = examples.filter(({ email }) => email !== undefined);
    expect(contacts).toHaveLength(1);
    const contact = plainToInstance(ContactDto, contacts[0]);
    expect(validateSync(contact, { whitelist: true, forbidNonWhitelisted: true })).toEqual([]);
  });

  it.each([ContactDetailsDto, ContactDto, EscalationStepDto])('has every field of %p', (type) => {
    for (const field of fieldsOf(type)) expect(TEXT).toContain(`| \`${field}\``);
  });
});
