import * as lists from '#core/list/list.store.ts';
import * as memberImport from '#core/list/member-import/member-import.ts';
import * as record from '#core/organization/record.ts';
import * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { NOTHING_STORED, type PersonExportPage } from '#shared/export.ts';
import { OTHER_CURSOR } from '#shared/record.ts';
import { DELETED } from '#shared/send-status.ts';
import * as emailsStore from './activity.ts';

type PageQuery = { email: string; cursor?: string | undefined };

/** For an erased person only what came after: otherwise who knows the address would learn which emails they had got. */
export async function page(
  needs: record.Changing,
  organization: number,
  { email, cursor }: PageQuery,
): Promise<PersonExportPage> {
  const { table } = needs;
  const key = recipientKey.keyOf(organization, email);
  const object = { id: recipientKey.hashOf(email) };
  const exporting = () => record.exported(needs, organization, { kind: 'person', object }, cursor);
  const known = cursor === undefined ? undefined : await exporting();
  const after = known && positionIn(known.after);
  const { head, memberships, left, entries, clicks, last } = await recipientStore.readPart(table, key, after);
  if (!head && !after && memberships.length + left.length + entries.length === 0) {
    throw new Refusal('not-found', NOTHING_STORED);
  }
  const { entry } = known ?? (await exporting());
  const claims = entries.filter(journal.isClaim);
  const others = entries.filter(entry => !journal.isClaim(entry)) as journal.Entry[];
  const ids = [...memberships, ...left, ...entries].flatMap(({ list_id }) => list_id ?? []);
  const foundLists = await lists.readThese(table, organization, [...new Set(ids)]);
  const emails = await emailsStore.emailsOf(needs, key, claims, {
    lists: foundLists,
    memberships: await membershipsFor(table, key, claims),
  });
  const imports = await memberImport.describedAll(
    table,
    organization,
    memberships.flatMap(({ list_id, added_by }) => (added_by ? [{ list_id, id: added_by.import }] : [])),
  );
  const ofList = (list_id: string) => ({
    list_id,
    list_name: foundLists.find(({ id }) => id === list_id)?.name ?? null,
  });
  return {
    email,
    suppression: head?.suppression ?? null,
    erased_at: head?.erased_at ?? null,
    memberships: memberships.map(({ list_id, status, by = null, added_by, ...membership }) => {
      const imported = imports.get(added_by?.import ?? '');
      const { created_at, updated_at, metadata } = membership;
      return {
        ...ofList(list_id),
        ...(imported && { imported }),
        is_subscribed: status === 'subscribed',
        changed_by: by,
        created_at,
        updated_at,
        metadata,
      };
    }),
    former_memberships: left.map(({ list_id, unsubscribed, updated_at }) => ({
      ...ofList(list_id),
      was_unsubscribed: unsubscribed,
      left_at: updated_at,
    })),
    journal: others.map(({ seq: number, list_id, ...entry }) => ({
      number,
      ...entry,
      ...(list_id !== undefined && ofList(list_id)),
    })),
    emails: claims.map(claim => ({ ...ofList(claim.list_id), ...shownEmail(claim, emails.get(claim.seq)) })),
    clicks: clicks.map(({ seq, at, url, part, by }) => ({ email: seq, at, url, asset_type: part, by })),
    next_cursor: last === undefined ? null : record.exportCursor(entry, last),
  };
}

function positionIn(after = ''): string {
  if (recipientStore.isLastOfPart(after)) return after;
  throw invalid('cursor', OTHER_CURSOR);
}

/** Read only if a claim has no values: then its subject is rendered with the present membership. */
const membershipsFor = async (table: Table, key: recipientKey.RecipientKey, claims: journal.Claim[]) =>
  claims.every(({ values }) => values) ? [] : (await recipientStore.readMemberships(table, key)).memberships;

function shownEmail(claim: journal.Claim, email: emailsStore.Email | undefined) {
  const { automation_id, combination, values, trigger } = claim;
  return {
    number: claim.seq,
    automation_id,
    combination_id: combination,
    automation_name: email?.automation_name ?? DELETED,
    status: email?.status ?? ('not_sent' as const),
    at: email?.at ?? claim.at,
    subject: email?.subject ?? null,
    ...(values && { values }),
    ...(trigger !== undefined && { trigger }),
    happened: marksOf(claim),
  };
}

const NO_MARKS = [
  'seq',
  'type',
  'at',
  'list_id',
  'automation_id',
  'key',
  'batch',
  'combination',
  'values',
  'trigger',
  'released',
  'outcome',
  'resend',
  'resends',
  'resent_by',
  'erased',
];

const marksOf = (claim: journal.Claim) =>
  Object.fromEntries(
    Object.entries(claim).filter(([name]) => !NO_MARKS.includes(name)) as [string, string][],
  );
