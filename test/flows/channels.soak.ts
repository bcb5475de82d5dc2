import './sms.cases.js';
import './push.cases.js';
import './address-health.cases.js';
import './webhook-endpoints.cases.js';
