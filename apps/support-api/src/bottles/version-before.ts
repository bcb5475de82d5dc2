import { AuditRepository, BottlesRepository, type Subject } from '#persistence';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Types } from 'mongoose';
import { PeopleIndex } from './people-index.js';

/**
 * Takes over what processes of version 0.1.0 wrote beside this version, or after a rollback: their audit entries are
 * chained, and the people and bottles that these name become searchable. The version after this one needs it no more.
 */
@Injectable()
export class VersionBefore implements OnApplicationBootstrap {
  constructor(
    private readonly audit: AuditRepository,
    private readonly bottles: BottlesRepository,
    private readonly people: PeopleIndex,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.audit.chainOldEntries((subjects) => this.makeSearchable(subjects));
  }

  private async makeSearchable(subjects: readonly Subject[]): Promise<void> {
    const idsOf = (kind: Subject['kind']): string[] => [
      ...new Set(subjects.filter((subject) => subject.kind === kind).map(({ id }) => id)),
    ];
    const bottles = await this.bottles.findByIds(idsOf('bottle').map((id) => new Types.ObjectId(id)));
    await this.people.refresh([...idsOf('contact'), ...bottles.map(({ user_id }) => user_id)], bottles);
  }
}
