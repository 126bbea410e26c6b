import { Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { optimistically } from '#core/storage/write.store.ts';
import { MOST_LINKED } from '#shared/automation-link.ts';
import { PART_NAMES, type Part } from '#shared/email/content.ts';
import type { EmailAsset } from '#shared/email-asset.ts';
import {
  type CreatedEmailAssetSet,
  existsAs,
  LINKED_TOO_OFTEN,
  type NewEmailAssetSet,
} from '#shared/email-asset-set.ts';
import { warningsField, warningsFor } from './check.ts';
import * as content from './content.ts';
import * as contentChange from './content-change.ts';
import * as emailAssets from './email-asset.ts';

type Needs = { table: Table; now: Date };
type Existing = contentChange.Existing<emailAssets.Head>;

/**
 * Creates an asset of each type that is filled in, and links all of them, in one transaction. An asset with the same type
 * and content that exists already is linked instead: so a repetition creates nothing, and a set may share its footer with
 * others.
 */
export async function create(
  needs: Needs,
  organization: number,
  fields: NewEmailAssetSet,
): Promise<CreatedEmailAssetSet> {
  const { name, is_active, automation_ids } = fields;
  const assets = PART_NAMES.flatMap(type => {
    const value = fields[type] ?? '';
    return value.trim() ? [emailAssets.drafted(needs, organization, { name, type, value, is_active })] : [];
  });
  const texts = Object.fromEntries(assets.map(({ text }) => [text.type, text.value]));
  const warnings = await warningsFor(needs, organization, texts, automation_ids);
  return optimistically<Existing[], CreatedEmailAssetSet>({
    read: () => readExisting(needs, organization, assets),
    write: async existing => {
      requireUsable(existing, fields);
      const isThere = new Set(existing.map(({ head }) => head.type));
      const created = assets.filter(({ head }) => !isThere.has(head.type));
      const set = { organization, is_active, automationIds: automation_ids, created, existing };
      if ((await contentChange.createTogether(needs, emailAssets.EMAIL_ASSET, set)) !== 'created')
        return undefined;
      return {
        created: created.map(emailAssets.shown),
        existing: existing.map(one => shownExisting(needs, one, texts, automation_ids)),
        ...warningsField(warnings),
      };
    },
    conflict: contentChange.CONFLICT,
  });
}

/** The existing assets with the same type and content as these, by type. */
async function readExisting(
  { table }: Needs,
  organization: number,
  assets: emailAssets.AssetWithText[],
): Promise<Existing[]> {
  const hashes = assets.map(({ head }) => head.hash);
  const ids = await content.readIds(table, organization, hashes);
  const heads = await content.readTheseHeads<emailAssets.Head>(table, organization, 'asset', ids);
  const sorted = PART_NAMES.flatMap(type => heads.filter(head => head.type === type));
  return Promise.all(
    sorted.map(async head => ({ head, linked: await contentChange.existingLinks(table, head) })),
  );
}

function shownExisting(
  { now }: Needs,
  { head, linked }: Existing,
  texts: Record<string, string>,
  ids: string[],
): EmailAsset {
  const { type, name } = head;
  const isChanged = ids.some(id => !linked.includes(id));
  const after = isChanged ? { ...head, updated_at: now.toISOString() } : head;
  return emailAssets.shown({ head: after, text: { type, name, value: texts[type] ?? '' } });
}

function requireUsable(existing: Existing[], { is_active, automation_ids }: NewEmailAssetSet): void {
  const faults = existing.flatMap(({ head, linked }): [Part, string[]][] => {
    if (head.is_active !== is_active) return [[head.type, [existsAs(head.is_active)]]];
    const isTooMuch = new Set([...linked, ...automation_ids]).size > MOST_LINKED;
    return isTooMuch ? [[head.type, [LINKED_TOO_OFTEN]]] : [];
  });
  const [first] = faults;
  if (first) throw new Refusal('invalid', first[1].join(' '), { errors: Object.fromEntries(faults) });
}
