import type { Person } from '#domain';
import { CONTACT_CHANNELS, type ContactChannel, type TestMessage } from '#persistence';
import { EnumField, InstantField, NumberField, TextField } from '#platform';
import { viewOf } from '../http/view.js';

export class SendTestDto {
  @TextField({ max: 32, example: 'user', description: '`user`, or the id of a carer.' })
  to: Person;

  @EnumField(CONTACT_CHANNELS)
  channel: ContactChannel;
}

export class TestMessageDto {
  @TextField({ description: '`user`, or the id of a carer.' })
  to: Person;

  @TextField()
  channel: string;

  @EnumField(['pending', 'delivered', 'failed'])
  state: string;

  @TextField({ description: 'The name of who asked for it.' })
  by: string;

  @InstantField()
  at: Date;

  @InstantField({ nullable: true })
  attempted_at: Date | null;

  @NumberField({ nullable: true, description: "The receiver's HTTP or SMTP status, if there was an answer." })
  status: number | null;

  @TextField({ nullable: true, description: 'Why it failed.' })
  error: string | null;
}

export function testView(test: TestMessage): TestMessageDto {
  const { due_at, error } = test;
  const result = error === undefined ? 'delivered' : 'failed';
  return viewOf(TestMessageDto, { ...test, state: due_at ? 'pending' : result });
}
