import './alerts.cases.js';
import './fleet.cases.js';
import './bottle.cases.js';
import './plan.cases.js';
import './bottle-figures.cases.js';
import './timeline.cases.js';
import './person.cases.js';
import './life-and-periods.cases.js';
