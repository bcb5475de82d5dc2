import './delivery.cases.js';
import './webhook.cases.js';
import './mail-server.cases.js';
