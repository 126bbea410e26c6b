import { RECHECK } from '#core/times.ts';
import { SECOND } from '#shared/time.ts';
import type { Pack } from '../pack.ts';
import type { Needs } from './needs.ts';

/** Queues a last check of a pack: a process whose lease has ended may only have been suspended, and still store a claim. */
export const queueRecheck = ({ queue }: Needs, pack: Pack) =>
  queue({ ...pack, isRecheck: true }, RECHECK / SECOND);
