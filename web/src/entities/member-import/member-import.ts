import type { MemberImport } from '#shared/member-import.ts';

/** Whether the import can be resumed. */
export const isUnfinished = ({ state }: Pick<MemberImport, 'state'>) => state === 'running';
