import type { Region } from '../../../../../shared/list.ts';

export const REGION_NAMES: Record<Region, string> = { us: 'US', eu: 'EU' };
