import { Button } from '@mantine/core';
import { t } from '../../../i18n/i18n.js';
import { type Draft, nextStep } from './draft.js';
import { ScheduleFields } from './ScheduleFields.js';
import classes from './ScheduleTab.module.css';

/** The server takes no more in one request. */
const MOST_STEPS = 50;

interface StepsFieldsProps {
  drafts: readonly Draft[];
  bottleZone: string;
  /** Whether the first must say from when it applies. */
  needsBeginning?: boolean;
  /** Whether steps can be added: not if one that is planned is changed. */
  canAdd?: boolean;
  /** The server's error, if it rejected a step. */
  error: Error | null;
  onChange: (drafts: Draft[]) => void;
}

/** The fields of a schedule, and of those that follow it, as in a taper. */
export function StepsFields({
  drafts,
  bottleZone,
  needsBeginning = false,
  canAdd = true,
  error,
  onChange,
}: StepsFieldsProps) {
  const isTaper = drafts.length > 1;
  const fields = drafts.map((draft, index) => (
    <ScheduleFields
      key={index}
      path={isTaper ? `steps[${index}]` : 'schedule'}
      draft={draft}
      bottleZone={bottleZone}
      begins={index > 0 ? 'after_the_one_before' : needsBeginning ? 'must_say' : 'when_saved'}
      error={error}
      onChange={(changed) => onChange(drafts.map((other, place) => (place === index ? changed : other)))}
    />
  ));
  return (
    <>
      {isTaper
        ? fields.map((step, index) => {
            const title = t('Step {{number}}', { number: index + 1 });
            return (
              <section key={index} aria-label={title} className={classes['draft']}>
                <div className={classes['draftHead']}>
                  <h3>{title}</h3>
                  <Button
                    size="xs"
                    variant="subtle"
                    aria-label={t('Remove step {{number}}', { number: index + 1 })}
                    onClick={() => onChange(drafts.filter((_, place) => place !== index))}
                  >
                    {t('Remove')}
                  </Button>
                </div>
                {step}
              </section>
            );
          })
        : fields}
      {canAdd && drafts.length < MOST_STEPS && (
        <div>
          <Button variant="default" onClick={() => onChange([...drafts, nextStep(drafts.at(-1)!)])}>
            {t('Add a step after it')}
          </Button>
        </div>
      )}
    </>
  );
}
