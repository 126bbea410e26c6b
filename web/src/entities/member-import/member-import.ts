import type { MemberImport } from '../../../../shared/member-import.ts';

/** Whether it can be continued where it stopped. */
export const isUnfinished = ({ state }: Pick<MemberImport, 'state'>) => state === 'running';
