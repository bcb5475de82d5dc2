import { commonDays, DAY_MS, type DayBasis, groupBy, type Initiation } from '#domain';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { AdherenceService, type PlanPart, readSpan, taxonomyOf } from '../history/adherence.service.js';
import type { AdherenceQuery } from '../history/history.dto.js';
import type { TaxonomyDto } from '../history/taxonomy.dto.js';
import type { MedicationAdherenceDto, PersonsAdherenceDto } from './persons-adherence.dto.js';
import { PersonService } from './person.service.js';
import { type PersonsBottle, spansOf } from './persons-bottles.js';

const DEFAULT_SPAN = 90 * DAY_MS;

/** The figures of a person by medication, over all bottles that are or were theirs. */
@Injectable()
export class PersonsAdherenceService {
  constructor(
    private readonly person: PersonService,
    private readonly adherence: AdherenceService,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 for an invalid range, 404 */
  async get(userId: string, query: AdherenceQuery): Promise<PersonsAdherenceDto> {
    const { from, to } = readSpan(query, this.clock.now(), DEFAULT_SPAN);
    const bottles = await this.person.requireKnown(userId);
    const ofBottles = await Promise.all(bottles.map((bottle) => this.ofBottle(bottle, from, to)));
    const prescribed = ofBottles.filter(({ parts }) => parts.some(({ days }) => days.length > 0));
    const byMedication = groupBy(prescribed, ({ medication }) => medication ?? '');
    const medications = [...byMedication].map(([medication, of]) => figuresOf(medication || null, of));
    const together = prescribed.length > 0 ? [figuresOf(null, prescribed)] : [];
    return { user_id: userId, from, to, medications: [...medications, ...together] };
  }

  /** A bottle in the times in which it was theirs. */
  private async ofBottle(owned: PersonsBottle, from: Date, to: Date): Promise<OwnedBottle> {
    const { bottle, medication, periods } = owned;
    const spans = spansOf([owned], from, to).filter((span) => span.from < span.to);
    const [parts, initiation] = await Promise.all([
      Promise.all(spans.map((span) => this.adherence.part(bottle, span.from, span.to))),
      this.adherence.initiation(bottle, periods[0]?.from ?? new Date(0)),
    ]);
    return { bottle_id: bottle._id.toHexString(), medication, parts, initiation };
  }
}

interface OwnedBottle {
  bottle_id: string;
  medication: string | null;
  parts: PlanPart[];
  initiation: Record<DayBasis, Initiation>;
}

function figuresOf(medication: string | null, bottles: readonly OwnedBottle[]): MedicationAdherenceDto {
  const parts = bottles.flatMap((bottle) => bottle.parts);
  const days = commonDays(bottles.map((bottle) => bottle.parts.flatMap((part) => part.days)));
  const of = (basis: DayBasis): TaxonomyDto => {
    const firsts = bottles.flatMap(({ initiation }) => initiation[basis].first_dose_at ?? []);
    const first_dose_at = firsts.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
    return { initiation: { first_dose_at }, ...taxonomyOf(parts, days, basis) };
  };
  return {
    medication,
    bottles: bottles.map(({ bottle_id }) => ({ bottle_id })),
    ...of('measured'),
    reported: of('reported'),
  };
}
