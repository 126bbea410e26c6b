import * as automation from '#core/automation/automation.store.ts';
import * as list from '#core/list/list.store.ts';
import * as listMember from '#core/list/list-member/columns.ts';
import { invalid, textsByField } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { UNKNOWN_AUTOMATION } from '#shared/automation-link.ts';
import { type ContentCheck, type Counted, type Warnings, warningsFrom } from '#shared/content-check.ts';
import { LONGEST_CONTENT } from '#shared/content-rules.ts';
import { isOwnName, variablesOf } from '#shared/email/placeholder.ts';

export type Draft = { automation_ids?: string[] | undefined; [field: string]: unknown };
type Fault = { path: PropertyKey[]; message: string };
type Rules = {
  schema: { safeParse: (draft: unknown) => { error?: { issues: Fault[] } | undefined } };
  texts: string[];
};

/** It does not check whether the same content exists already. */
export async function checkDraft(
  { table }: { table: Table },
  organizationId: number,
  draft: Draft,
  { schema, texts }: Rules,
): Promise<ContentCheck> {
  const faults = schema.safeParse(draft).error?.issues ?? [];
  const ids = draft.automation_ids ?? [];
  const existing = await automation.readLinked(table, organizationId, ids);
  // As with ids in paths, a caller learns nothing of what belongs to another organization.
  if (ids.some(id => !existing.has(id))) throw invalid('automation_ids', UNKNOWN_AUTOMATION);
  const errors = textsByField(faults.map(({ path, message }) => [path.join('.'), message] as const));
  // A longer text cannot be created, so only its beginning is checked.
  const written = texts.flatMap(field => {
    const text = draft[field];
    return typeof text === 'string' ? [[field, text.slice(0, LONGEST_CONTENT)]] : [];
  });
  const warnings = await warningsFor({ table }, organizationId, Object.fromEntries(written), ids);
  return { errors, warnings };
}

type Texts = Record<string, string | null | undefined>;

/** It reads nothing if no text uses metadata, and a bounded number of items otherwise. */
export async function warningsFor(
  { table }: { table: Table },
  organizationId: number,
  texts: Texts,
  automationIds: string[],
): Promise<Warnings> {
  if (columnsIn(Object.values(texts)).length === 0) return warningsFrom(texts, NOBODY);
  return warningsFrom(texts, await countedIn(table, organizationId, automationIds));
}

export function columnsIn(texts: (string | null | undefined)[]): string[] {
  const asked = texts.flatMap(text => variablesOf(text ?? '').map(({ name }) => name));
  return [...new Set(asked)].filter(name => !isOwnName(name));
}

export const warningsField = (warnings: Warnings) => (Object.keys(warnings).length > 0 ? { warnings } : {});

const NOBODY: Counted = { members: 0, lookedAt: 0, having: {}, dates: {} };

// How many members of all lists together are read. `FEW`: a list of so many is read as a whole.
const MOST_LOOKED_AT = 300;
const FEW = 100;
// Each list takes a query of its columns.
const MOST_LISTS = 50;

async function countedIn(table: Table, organizationId: number, automationIds: string[]): Promise<Counted> {
  const lists = await listsOf(table, organizationId, automationIds);
  // Small lists first, so that these are read as a whole.
  lists.sort((a, b) => a.counts.total - b.counts.total || (a.id < b.id ? -1 : 1));
  let left = MOST_LOOKED_AT;
  const shares = lists.map(({ counts: { total } }, index) => {
    // The projector may be behind with the count.
    const share = Math.min(Math.max(total, FEW), Math.ceil(left / (lists.length - index)));
    left -= Math.min(share, total);
    return share;
  });
  const counted = await Promise.all(
    lists.map((list, index) => listMember.valuesIn({ table }, list, shares[index] ?? 0)),
  );
  return counted.reduce(
    (sum, { members, lookedAt, having, dates }) => ({
      members: sum.members + members,
      lookedAt: sum.lookedAt + lookedAt,
      having: added(sum.having, having),
      dates: added(sum.dates, dates),
    }),
    NOBODY,
  );
}

/** Those of the automations; without any automation, all. */
async function listsOf(table: Table, organizationId: number, automationIds: string[]) {
  if (automationIds.length === 0) return (await list.readAll(table, organizationId)).slice(0, MOST_LISTS);
  const automations = await automation.readThese(table, organizationId, automationIds);
  const ids = [...new Set(automations.flatMap(({ email_list_ids }) => email_list_ids))];
  return list.readCounted(table, organizationId, ids.slice(0, MOST_LISTS));
}

const added = (a: Record<string, number>, b: Record<string, number>) =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map(name => [name, (a[name] ?? 0) + (b[name] ?? 0)]),
  );
