import './alerts.cases.js';
import './triage.cases.js';
import './console.cases.js';
import './identity.cases.js';
import './access.cases.js';
import './audit.cases.js';
import './bad-input.cases.js';
