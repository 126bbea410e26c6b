import { afterEach, beforeEach } from 'vitest';
import { expectAllAnswered } from './api.ts';
import { cleanUp, prepare } from './render.tsx';

beforeEach(prepare);
// One after the other, also where the first one fails.
afterEach(() => cleanUp().finally(expectAllAnswered));
