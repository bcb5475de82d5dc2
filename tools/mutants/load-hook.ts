import type { InitializeHook, LoadHook } from 'node:module';
import type { PlantedFile } from './plant.js';

let planted: PlantedFile['compiled'];

export const initialize: InitializeHook<PlantedFile['compiled']> = (compiled) => {
  planted = compiled;
};

/** Loads the planted code instead of the module that it was made of. */
export const load: LoadHook = (url, context, nextLoad) =>
  url === planted.url
    ? { format: 'module', source: planted.code, shortCircuit: true }
    : nextLoad(url, context);
