import { SECOND } from '../../../../shared/time.ts';
import type { Pack } from '../pack/pack.ts';
import { RECHECK } from '../times.ts';
import type { Needs } from './needs.ts';

/** Queues a last check of a pack: a process that was given up may still claim something. */
export const queueRecheck = ({ queue }: Needs, pack: Pack) =>
  queue({ ...pack, isRecheck: true }, RECHECK / SECOND);
