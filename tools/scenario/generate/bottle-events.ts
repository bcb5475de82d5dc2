import { type BottlePlan, clockOf, weighsLess } from './bottle-plan.js';
import type { GeneratedBottle } from './generated-bottle.js';
import type { LidEvent } from './lid-events.js';
import type { Sending } from './link.js';
import { type DosePause, MINUTE, type Span } from './oracle/facts.js';
import { scheduleJson } from './schedule-json.js';
import { physicalKey } from './second-life.js';

type Json = Record<string, unknown>;

/** What the scenario has a pill weigh that says no mass. */
const GRAMS_A_PILL = 1.77;

const iso = (at: number): string => new Date(at).toISOString();

/** What a bottle and its doctor do, as events of a scenario. */
export function bottleEvents(
  { plan, traffic, erasedAt, retirement, handover, assignedAt, answers }: GeneratedBottle,
  during: Span,
): Json[] {
  const bottle = physicalKey(plan.key);
  const every = `${plan.hardware.beatsEvery / MINUTE}m`;
  const changes: (Json & { at: string })[] = [
    ...[...plan.prescriptions.slice(1), ...plan.droppedSteps].flatMap(
      ({ from, plan: next, orderedAt, followsBottle }) =>
        followsBottle
          ? []
          : [
              {
                at: iso(orderedAt ?? from),
                staff: {
                  schedule: {
                    bottle,
                    schedule: {
                      ...scheduleJson(next),
                      ...(orderedAt !== undefined && { effective_from: iso(from) }),
                    },
                    ...(plan.droppedSteps.some(({ droppedAt }) => droppedAt === from) && {
                      replaces_later: true,
                    }),
                  },
                },
              },
            ],
    ),
    ...(plan.moves
      ? [{ at: iso(plan.moves.at), staff: { change: { bottle, time_zone: plan.moves.zone } } }]
      : []),
    ...(assignedAt === undefined
      ? []
      : [
          {
            at: iso(assignedAt),
            staff: {
              assign: { bottle, user_id: plan.user, schedule: scheduleJson(plan.prescriptions[0]!.plan) },
            },
          },
        ]),
    ...(handover ? [{ at: iso(handover.at), staff: { change: { bottle, user_id: handover.user } } }] : []),
    ...(retirement ? [{ at: iso(retirement.at), staff: leaveUse(bottle, retirement.reason) }] : []),
    ...(erasedAt < Infinity ? [{ at: iso(erasedAt), staff: { erase: { bottle } } }] : []),
    ...(plan.statements ?? []).flatMap(({ dose, at, link }) =>
      link ? [pressed(bottle, at, link.to, link.button, dose)] : [],
    ),
    ...(answers?.calls ?? []).flatMap(({ at, to, dose, undoneAt }) => [
      pressed(bottle, at, to, 'help', dose),
      ...(undoneAt === undefined ? [] : [pressed(bottle, undoneAt, to, 'undo-help', dose)]),
    ]),
    ...(plan.statements ?? [])
      .filter(({ link }) => !link)
      .map(({ dose, at, what }) => ({
        at: iso(at),
        staff:
          what === 'withdrawn'
            ? { withdraw: { bottle, scheduled_at: iso(dose) } }
            : { attest: { bottle, scheduled_at: iso(dose), ...statementJson(what) } },
      })),
    ...periodEvents(plan),
    ...sharingEvents(plan, during),
  ];
  return [
    ...traffic.heartbeats.map(({ from, to }) => ({
      at: iso(from),
      bottle,
      heartbeats: { every, until: iso(to) },
    })),
    ...traffic.sendings.map((sending) => ({
      at: iso(sending.at),
      bottle,
      ...request(plan, sending),
      ...(sending.repeat > 1 ? { repeat: sending.repeat } : {}),
    })),
    // a bottle that is erased or retired cannot be changed
    ...changes.filter(({ at }) => Date.parse(at) <= Math.min(erasedAt, retirement?.at ?? Infinity)),
  ];
}

function pressed(
  bottle: string,
  at: number,
  to: string,
  button: string,
  dose: number,
): Json & { at: string } {
  return { at: iso(at), bottle, press: { to, button, scheduled_at: iso(dose) } };
}

function leaveUse(bottle: string, reason: string | undefined): Json {
  return reason === undefined ? { store: { bottle } } : { retire: { bottle, reason } };
}

/** It joins a plan, unless it is registered for it, and leaves it. */
function sharingEvents({ key, sharing }: BottlePlan, during: Span): (Json & { at: string })[] {
  if (!sharing) return [];
  const { of, from, to } = sharing;
  const change = (at: number, plan_of: string | null): Json & { at: string } => ({
    at: iso(at),
    staff: { change: { bottle: key, plan_of } },
  });
  return [...(from > during.from ? [change(from, of)] : []), ...(to < Infinity ? [change(to, null)] : [])];
}

/** A period that is changed or removed is the one that was entered last. */
function periodEvents({ key, pauses }: BottlePlan): (Json & { at: string })[] {
  const bottle = physicalKey(key);
  const [first, then] = pauses;
  if (!first) return [];
  const { orderedAt, changedAt, reason = 'pause' } = first;
  const json = ({ from, to }: DosePause): Json => ({
    from: iso(from),
    ...(to < Infinity && { to: iso(to) }),
  });
  const isPause = reason === 'pause' && changedAt === undefined;
  const entered = isPause
    ? { pause: { bottle, ...json(first) } }
    : { period: { bottle, reason, ...json(first) } };
  const changed = then ? { change_period: { bottle, ...json(then) } } : { remove_period: { bottle } };
  return [
    { at: iso(orderedAt), staff: entered },
    ...(changedAt === undefined ? [] : [{ at: iso(changedAt), staff: changed }]),
  ];
}

const statementJson = (kind: string): Json => ({ kind, ...(kind === 'skipped' && { reason: 'not_needed' }) });

function request(plan: BottlePlan, { at, form, items, battery, sentinels }: Sending): Json {
  const sent = plan.hardware.saysItsClock ? { sent_at: iso(clockOf(plan.hardware, at)) } : {};
  if (sentinels) return { batch: { ...sent, items: [{ type: 'heartbeat', ...sentinels }] } };
  if (battery !== undefined)
    return { batch: { ...sent, items: [{ type: 'heartbeat', battery_percent: battery }] } };
  const actions = items.map((item) => actionJson(plan, item));
  if (form === 'action') return { action: { ...actions[0], ...sent } };
  return { batch: { ...sent, items: actions.map((action) => ({ type: 'action', ...action })) } };
}

/** The same in every retry, as the bottle remembers it. */
function actionJson(plan: BottlePlan, { action, at, pillsTaken, pillsLeft, number }: LidEvent): Json {
  const { key, hardware, miscounts } = plan;
  const grams = (pillsLeft - weighsLess(plan, at)) * GRAMS_A_PILL;
  const time = iso(clockOf(hardware, at));
  return {
    action,
    time,
    number_of_pills: pillsLeft,
    ...(miscounts && { mass_of_contents: Math.round(grams * 100) / 100 }),
    ...(action === 'closed' ? { pills_taken: pillsTaken } : {}),
    ...(hardware.namesEvents
      ? { event_id: number === undefined ? `${key} ${action} ${time}` : `${number}` }
      : {}),
  };
}
