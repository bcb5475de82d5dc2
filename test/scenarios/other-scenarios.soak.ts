import { OTHERS } from './decisive.js';
import { itAgrees } from './it-agrees.js';

itAgrees('the scenarios that are not decisive for a rule', OTHERS);
