import type { Pack } from '../pack/pack.ts';
import { RECHECK } from '../times.ts';
import type { Needs } from './needs.ts';

const SECOND = 1000;

/** A process of this pack may still store a claim, when nobody looks any more: it is looked after once more. */
export const queueRecheck = ({ queue }: Needs, pack: Pack) =>
  queue({ ...pack, isRecheck: true }, RECHECK / SECOND);
