import './sign-in.cases.js';
import './message.cases.js';
