import { afterEach, beforeEach } from 'vitest';
import { expectAllAnswered } from './api.ts';
import './input.ts';
import { cleanUp, prepare } from './render.tsx';

beforeEach(prepare);
// The second one runs even if the first one fails.
afterEach(() => cleanUp().finally(expectAllAnswered));
