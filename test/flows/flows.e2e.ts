import './messages.cases.js';
import './sms.cases.js';
import './address-health.cases.js';
import './webhook-endpoints.cases.js';
