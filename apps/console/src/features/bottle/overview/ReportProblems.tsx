import { Trans } from 'react-i18next';
import type { ReportProblem } from '../../../api/schema.js';
import { t } from '../../../i18n/i18n.js';
import { Moment } from '../../../time/Moment.js';
import { Panel } from '../../../ui/Panel.js';
import { useBottle } from '../queries.js';
import classes from './Overview.module.css';

/** What was wrong with the bottle's reports of the last days; nothing if nothing was. */
export function ReportProblems() {
  const { report_problems: problems } = useBottle();
  if (problems.length === 0) return null;
  return (
    <Panel title={t('Problems with reports')} flush>
      <ul className={classes['list']}>
        {problems.map((problem) => (
          <li key={`${problem.effect} ${what(problem)}`} className={classes['row']}>
            <div className={classes['text']}>
              <ProblemLine problem={problem} />
              <p className={classes['when']}>
                <ProblemCount problem={problem} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** `Refused: time (invalid_time) since 09:15` */
export function ProblemLine({ problem }: { problem: ReportProblem }) {
  const values = { what: what(problem) };
  const components = { at: <Moment at={problem.first_at} /> };
  switch (problem.effect) {
    case 'refused':
      return <Trans i18nKey="Refused: {{what}} since <at/>" values={values} components={components} />;
    case 'ignored':
      return <Trans i18nKey="Left out: {{what}} since <at/>" values={values} components={components} />;
    case 'kept':
      return <Trans i18nKey="Doubtful: {{what}} since <at/>" values={values} components={components} />;
  }
}

/** `12 reports, the last 10:02` */
export function ProblemCount({ problem: { count, last_at } }: { problem: ReportProblem }) {
  return (
    <Trans
      i18nKey="{{count, number}} reports, the last <at/>"
      count={count}
      components={{ at: <Moment at={last_at} /> }}
    />
  );
}

/** Names and codes are those of the device API, for whoever looks after the firmware. */
function what({ field, reason }: ReportProblem): string {
  return field === '' ? reason : `${field} (${reason})`;
}
