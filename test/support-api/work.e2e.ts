import './alerts.cases.js';
import './triage.cases.js';
import './events.cases.js';
import './console.cases.js';
import './two-staff.cases.js';
