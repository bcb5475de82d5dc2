import './recovery.cases.js';
import './flapping.cases.js';
import './fairness.cases.js';
import './canaries.cases.js';
import './watchdog.cases.js';
import './watchdog-mail.cases.js';
import './throttle.cases.js';
