import './fleet-incident.cases.js';
import './messages.cases.js';
