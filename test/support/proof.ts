import { it } from 'vitest';
import { PROVE } from './prove.ts';

const none = () => undefined;

/** A test that a proof alone runs, in a file whose other tests each run has. */
export const proof = PROVE ? it : (Object.assign(none, { each: () => none }) as unknown as typeof it);
