import './delivery.cases.js';
import './webhook.cases.js';
import './throttle.cases.js';
import './mail-server.cases.js';
