import './events.cases.js';
import './two-staff.cases.js';
