import { afterEach, beforeEach } from 'vitest';
import { expectAllAnswered } from './api.ts';
import './input.ts';
import { cleanUp, prepare } from './render.tsx';

beforeEach(prepare);
// The second one runs even if the first one fails.
afterEach(() => cleanUp().finally(expectAllAnswered));

// Frames that nobody looks at are not painted, which was a fifth of the time.
(window.frameElement as HTMLElement).style.opacity = '0';
