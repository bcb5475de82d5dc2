import type { Subject, SubjectKind } from '#persistence';
import { Reflector } from '@nestjs/core';

/** What the audit keeps of a route. */
export interface AuditRule {
  /** Such as `alert.acknowledge`. */
  action: string;
  kind: SubjectKind;
  /** The field of the answer that has the subject's id; the one in the address when left out. */
  idIn?: string;
  /** It is done to the caller's own account. */
  ofCaller?: true;
  /** Fields of the body whose values are kept. They must be harmless: of the others the names stay. */
  keep?: readonly string[];
  /** More that is worth keeping, from the answer. */
  details?: (answer: never) => Record<string, unknown>;
  /** What it concerns besides its subject, from the answer. */
  also?: (answer: never) => Subject[];
  /** For a request that changes several: those that were changed, an entry each, from the answer. */
  each?: (answer: never) => { id: string; also?: Subject[] }[];
}

/** How a route that changes something is written down. Every such route has one: see AuditInterceptor. */
export const Audited = Reflector.createDecorator<AuditRule | null>();

/** For a route that only reads, though its method is not GET. */
export const ChangesNothing = (): MethodDecorator => Audited(null);

/** For a route whose service writes it down itself, at the moment at which it must. */
export const AuditsItself = (): MethodDecorator => Audited(null);

/** An alert's or a delivery's bottle: its page shows what was done to them, too. */
export const itsBottle = ({ bottle_id }: { bottle_id: string }): Subject[] => [
  { kind: 'bottle', id: bottle_id },
];
