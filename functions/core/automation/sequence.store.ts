import {
  deletePage,
  fromItem,
  get,
  type Item,
  queryPartition,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  conditionCheck,
  deleteWrite,
  putWrite,
  unchanged,
  updateItem,
  type Write,
} from '#core/storage/write.store.ts';
import type { StoredAutomation } from './automation.store.ts';
import type { Begun } from './due/occurrences.ts';

/** What its steps have in common: their automations have copies, which are written in the same transactions. */
export type Shared = Pick<
  StoredAutomation,
  | 'email_list_ids'
  | 'metadata_trigger'
  | 'starts_at'
  | 'audience'
  | 'send_at'
  | 'time_zone_of'
  | 'days_off'
  | 'holdout_percent'
>;

export type StoredSequence = Shared & {
  id: string;
  organization_id: number;
  name: string;
  active: boolean;
  /** By delay. `active` is the wish. */
  steps: { automation_id: string; active: boolean }[];
  /** By list: since when it is for people who are there too, with the step that was the first one then, and its delay. */
  begun?: Record<string, Begun & { first: string }> | undefined;
  created_at: string;
  /** New with each write: the next write has it as condition. */
  revision: string;
};

const partition = (organization: number) => `ORG#${organization}`;
export const key = (organization: number, id: string) => ({ PK: partition(organization), SK: `SEQ#${id}` });
const keyOf = ({ organization_id, id }: StoredSequence) => key(organization_id, id);

export const createWrite = (table: Table, sequence: StoredSequence): Write =>
  putWrite(table, { ...keyOf(sequence), ...sequence }, ABSENT);

export const changeWrite = (table: Table, before: StoredSequence, after: StoredSequence): Write =>
  putWrite(table, { ...keyOf(after), ...after }, unchanged(before, ['revision']));

export const unchangedCheck = (table: Table, sequence: StoredSequence): Write =>
  conditionCheck(table, keyOf(sequence), unchanged(sequence, ['revision']));

export const deletionWrite = (table: Table, sequence: StoredSequence): Write =>
  deleteWrite(table, keyOf(sequence), unchanged(sequence, ['revision']));

/** Makes all other changes under way fail. Returns undefined if one of them was first. */
export const claim = async (table: Table, before: StoredSequence, revision: string) =>
  storedOf<StoredSequence>(
    await updateItem(table, keyOf(before), { set: { revision } }, unchanged(before, ['revision'])),
  );

export const read = async (table: Table, organization: number, id: string) =>
  storedOf<StoredSequence>(await get(table, key(organization, id)));

export const readAll = async (table: Table, organization: number) =>
  (await queryPartition(table, partition(organization), 'SEQ#')).map(fromItem<StoredSequence>);

export const fromItems = (items: Item[]) =>
  storedOf<StoredSequence>(items.find(({ SK }) => String(SK).startsWith('SEQ#')));

/** Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), 'SEQ#');
