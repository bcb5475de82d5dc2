/** The load in a process of its own: takes orders, answers with results. */
import { bodyOf } from './fleet.js';
import { type LoadOrder, runLoad } from './load.js';

process.on('message', (order: LoadOrder) => {
  void runLoad(order, bodyOf).then((result) => process.send!(result));
});
process.send!('ready');
