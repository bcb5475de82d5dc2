import './fleet-incident.cases.js';
