import { afterEach, beforeEach } from 'vitest';
import { expectAllAnswered } from './api.ts';
import { cleanUp, prepare } from './render.tsx';

// Here, since the modules of the tests are loaded once for all files, and this one for each.
beforeEach(prepare);
// One after the other, also where the first one fails.
afterEach(() => cleanUp().finally(expectAllAnswered));
