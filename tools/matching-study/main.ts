import { HABITS, makeCourse } from './people.js';
import { type Figures, measure } from './measure.js';
import { RULES } from './rules.js';

const PEOPLE = 200;
const DAYS = 42;

/** Prints, for each kind of people and each rule, what it got wrong of 10,000 doses. */
for (const [kind, habits] of Object.entries(HABITS)) {
  console.log(`\n${kind}\n`);
  console.log('| rule | wrong slot | false messages | not sent | later corrections |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  const courses = Array.from({ length: PEOPLE }, (_, seed) => makeCourse(seed, habits, DAYS));
  for (const [name, rule] of Object.entries(RULES)) {
    const all = courses.map((course) => measure(course, rule));
    const sum = (of: (figures: Figures) => number): number =>
      all.reduce((total, each) => total + of(each), 0);
    const per = (of: (figures: Figures) => number): string =>
      ((sum(of) / sum(({ doses }) => doses)) * 10_000).toFixed(0);
    console.log(
      `| ${name} | ${per((f) => f.wrongSlot)} | ${per((f) => f.falseMessages)} | ${per((f) => f.notSent)} | ${per((f) => f.corrections)} |`,
    );
  }
}
